import { eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { members, merchants } from "#db/schema/tenants.ts";
import { type AuditedFields, noteInAudit } from "../audit/index.ts";
import type { Context } from "../context.ts";

/** Returns the ids of a user's businesses in one order, so that two transactions lock their audits in the same one. */
export async function businessesOf(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx.select({ id: members.businessId }).from(members).where(eq(members.userId, userId)).orderBy(members.businessId);
  return rows.map(({ id }) => id);
}

/** Returns the business of each of these merchants. */
export async function businessOfMerchants(tx: Tx, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.select({ id: merchants.id, businessId: merchants.businessId }).from(merchants).where(inArray(merchants.id, ids));
  return new Map(rows.map(({ id, businessId }) => [id, businessId]));
}

interface OwnAct {
  userId: string;
  action: string;
  reason?: string;
  after?: AuditedFields;
}

/** Notes an act about a user's account in the audit of each business of which the user is a member. */
export async function noteInAudits(tx: Tx, ctx: Context, { userId, ...act }: OwnAct): Promise<void> {
  for (const businessId of await businessesOf(tx, userId)) await noteInAudit(tx, ctx, { businessId, subject: userId, ...act });
}
