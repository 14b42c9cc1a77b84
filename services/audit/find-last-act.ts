import { sql } from "drizzle-orm";
import type { Database, Tx } from "#db/client.ts";
import type { AuditedFields } from "#db/schema/audit.ts";

/** The merchant or the business that a record belongs to. */
type Owner = { merchantId: string; businessId?: never } | { businessId: string; merchantId?: never };

/** Selects audit entries by the id of their subject and by their actions. */
export type ActsOfThing = Owner & { subject: string; actions: string[] };

/** The last recorded act about a record. */
export interface LastAct extends Record<string, unknown> {
  action: string;
  actorType: string;
  actorId: string;
  /** The name of the member who acted. Null for any other author. */
  by: string | null;
  at: string;
  before: AuditedFields | null;
  after: AuditedFields | null;
}

/** Entries that a search for the last act reads. */
const MAX_SEARCHED_ROWS = 5_000;

/**
 * Returns the newest entry about a record with one of these actions, of the last 5,000 entries of its business. It tells who changed the record,
 * or whether an act that is repeated after a lost answer was already done. In the second case, call it under the lock of the record's row.
 */
export async function findLastAct(
  reader: Tx | Database,
  { merchantId, businessId, subject, actions }: ActsOfThing,
): Promise<LastAct | undefined> {
  const [last] = await reader.execute<LastAct>(sql`
    with recent as (
      select e.* from audit_entries e
      where e.business_id = coalesce(${businessId ?? null}, (select business_id from merchants where id = ${merchantId ?? null}))
      order by e.seq desc limit ${MAX_SEARCHED_ROWS}
    )
    select recent.action, recent.actor_type as "actorType", recent.actor_id as "actorId", users.name as by, recent.created_at as at,
      recent.before, recent.after
    from recent left join users on recent.actor_type = 'member' and users.id = recent.actor_id
    where recent.subject = ${subject} and recent.action in ${actions} order by recent.seq desc limit 1`);
  return last;
}
