import { and, eq, gte, inArray, or, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { auditEntries } from "#db/schema/audit.ts";
import { members, users } from "#db/schema/tenants.ts";
import { DAY_MS } from "#lib/time.ts";

/** A thief who has taken a business over must not be the only one who hears of it. */
const WITHIN_MS = 7 * DAY_MS;

export interface Owner {
  email: string;
  name: string;
}

/** Returns everyone who is an owner of a business, or was one within the last 7 days: the audit names those who lost the role or left with it. */
export async function ownersOfLately(tx: Tx, businessId: string): Promise<Owner[]> {
  const now = await tx
    .select({ userId: members.userId })
    .from(members)
    .where(and(eq(members.businessId, businessId), eq(members.role, "owner")));
  const before = await tx
    .select({ userId: auditEntries.subject })
    .from(auditEntries)
    .where(
      and(
        ...[
          eq(auditEntries.businessId, businessId),
          inArray(auditEntries.action, ["member.role_changed", "member.removed", "member.left"]),
        ],
        ...[gte(auditEntries.createdAt, sql`now() - ${WITHIN_MS} * interval '1 ms'`), sql`${auditEntries.before} ->> 'role' = 'owner'`],
      ),
    );
  const ids = [...new Set([...now, ...before].map(({ userId }) => userId))];
  if (ids.length === 0) return [];
  return tx
    .select({ email: users.email, name: users.name })
    .from(users)
    .where(or(...ids.map((id) => eq(users.id, id))))
    .orderBy(users.id);
}
