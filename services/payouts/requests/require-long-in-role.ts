import { and, eq, gt, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { auditEntries } from "#db/schema/audit.ts";
import { members } from "#db/schema/tenants.ts";
import { Problem } from "#lib/problem.ts";
import type { MerchantContext } from "../../context.ts";
import { WAIT_MS } from "../schedule.ts";

/**
 * Throws PERMISSION_DENIED in live mode for a member who joined the business, or got the role, within the last 24 h: a person who may invite could be
 * both people otherwise.
 */
export async function requireLongInRole(tx: Tx, { actor, merchant: { mode, businessId } }: MerchantContext): Promise<void> {
  if (mode === "test" || actor.type !== "member") return;
  const lately = sql`now() - ${WAIT_MS} * interval '1 ms'`;
  const joined = await tx.$count(
    members,
    and(eq(members.businessId, businessId), eq(members.userId, actor.id), gt(members.createdAt, lately)),
  );
  const isChange = and(eq(auditEntries.businessId, businessId), eq(auditEntries.action, "member.role_changed"));
  const changed = await tx.$count(auditEntries, and(isChange, eq(auditEntries.subject, actor.id), gt(auditEntries.createdAt, lately)));
  if (joined + changed === 0) return;
  throw new Problem(
    "PERMISSION_DENIED",
    "You may approve payouts 24 hours after you have joined or got another role. A colleague may do it now.",
  );
}
