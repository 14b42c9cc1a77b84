import { eq } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import type { Context } from "../../context.ts";
import { insertBusiness } from "../../merchants/index.ts";
import type { UserRow } from "../user.ts";

/**
 * Makes the business that a user signed up with, in both modes, once. It waits until the email is verified, so that strangers cannot fill the
 * tables of merchants. The caller has locked the user, and verifies the email in the same transaction.
 */
export async function openPendingBusiness(tx: Tx, ctx: Context, { id, email, pendingBusiness }: UserRow): Promise<void> {
  if (pendingBusiness === null) return;
  await tx.update(users).set({ pendingBusiness: null }).where(eq(users.id, id));
  await insertBusiness(tx, { ...ctx, actor: { type: "member", id } }, { name: pendingBusiness, ownerId: id, supportEmail: email });
}
