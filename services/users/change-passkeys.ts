import { and, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { passkeys } from "#db/schema/two-factor.ts";
import { notFound } from "#lib/problem.ts";
import type { MemberContext } from "../context.ts";
import type { GivenProof } from "./contract.ts";
import { dropUnusableCodes } from "./factors.ts";
import { type Passkey, passkeyFromRow } from "./passkey.ts";
import { changeWithAnyProof } from "./prove-again.ts";
import { noteChange } from "./second-factor-changed.ts";

const isOwn = ({ actor }: MemberContext, id: string) => and(eq(passkeys.id, id), eq(passkeys.userId, actor.id));

/** Gives a passkey of the member another name. Throws RESOURCE_NOT_FOUND for any other passkey. */
export async function renamePasskey(ctx: MemberContext, id: string, name: string): Promise<Passkey> {
  const [row] = await db().update(passkeys).set({ name: name.trim() }).where(isOwn(ctx, id)).returning();
  if (!row) throw notFound("passkey");
  return passkeyFromRow(row);
}

/**
 * Removes a passkey of the member, who repeats the password with a code of the authenticator app or a recovery code, or proves by a passkey while no
 * app is on.
 * With the last second factor the recovery codes go too. Throws the errors of `changeWithAnyProof`, and RESOURCE_NOT_FOUND for any other passkey.
 */
export async function removePasskey(ctx: MemberContext, id: string, proof: GivenProof): Promise<void> {
  await changeWithAnyProof(ctx, "remove_passkey", "with_factor", proof, async (tx, user) => {
    const removed = await tx.delete(passkeys).where(isOwn(ctx, id)).returning({ id: passkeys.id });
    if (removed.length === 0) throw notFound("passkey");
    await dropUnusableCodes(tx, user.id);
    await noteChange(tx, ctx, user, "passkey_removed");
  });
}
