import { and, eq, gt, inArray, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { auditEntries } from "#db/schema/audit.ts";
import { members } from "#db/schema/tenants.ts";
import { Problem } from "#lib/problem.ts";
import type { Actor, MerchantContext } from "../../context.ts";
import { WAIT_MS } from "../schedule.ts";

const GIVES_A_ROLE = ["member.role_changed", "member.made_owner"];

/**
 * Throws PERMISSION_DENIED in live mode if one of the two people joined the business, or got the role, within the last 24 h: a person who may invite
 * could be both of them otherwise.
 */
export async function requireLongInRole(
  tx: Tx,
  { merchant: { mode, businessId } }: MerchantContext,
  people: readonly Actor[],
): Promise<void> {
  const ids = people.flatMap(({ type, id }) => (type === "member" ? [id] : []));
  if (mode === "test" || ids.length === 0) return;
  const lately = sql`now() - ${WAIT_MS} * interval '1 ms'`;
  const joined = await tx.$count(
    members,
    and(eq(members.businessId, businessId), inArray(members.userId, ids), gt(members.createdAt, lately)),
  );
  const isChange = and(eq(auditEntries.businessId, businessId), inArray(auditEntries.action, GIVES_A_ROLE));
  const changed = await tx.$count(auditEntries, and(isChange, inArray(auditEntries.subject, ids), gt(auditEntries.createdAt, lately)));
  if (joined + changed === 0) return;
  throw new Problem(
    "PERMISSION_DENIED",
    "Both people must have joined, and have had their role, for 24 hours before they decide together. Wait, or let colleagues decide.",
  );
}
