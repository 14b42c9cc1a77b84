import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import type { AuditedFields } from "#db/schema/audit.ts";

/** An accountable act of a member. */
export interface ActOfMember extends Record<string, unknown> {
  businessId: string;
  /** The merchant of the mode that the act is about. Null: the whole business. */
  merchantId: string | null;
  action: string;
  subject: string;
  before: AuditedFields | null;
  after: AuditedFields | null;
}

/**
 * Returns the acts with one of these actions that a person has done as a member since a time, of every business, also of those that the person has
 * left. In the order of each business's audit. It reads the whole audit, because no index has the author. Use it only for rare cases.
 */
export const listActsOf = async (
  tx: Tx,
  { userId, since, actions }: { userId: string; since: Date; actions: readonly string[] },
): Promise<ActOfMember[]> =>
  tx.execute<ActOfMember>(sql`
    select /* of all merchants */ e.business_id as "businessId", m.id as "merchantId", e.action, e.subject, e.before, e.after
    from audit_entries e left join merchants m on m.business_id = e.business_id and m.mode = e.mode
    where e.actor_type = 'member' and e.actor_id = ${userId} and e.created_at >= ${since.toISOString()} and e.action in ${[...actions]}
    order by e.business_id, e.seq`);
