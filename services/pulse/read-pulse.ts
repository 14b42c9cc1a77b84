import { sql } from "#db/client.ts";
import type { MemberContext } from "../context.ts";
import { alertTypesOf } from "../member-mails/index.ts";

export interface Pulse {
  /** The number of the merchant's last event, or 0n. */
  sequence: bigint;
  /** Alerts that the member has not seen and whose topics the role may see, at most 100. */
  unseenAlerts: number;
  latestAlertId: string | null;
}

const MAX_COUNTED = 100;

/**
 * Returns the numbers by which an open page notices a change. Every page polls them often, so it is one statement that reads one row
 * of each table, and at most 100 unseen alerts, however many events and alerts there are. An alert whose transaction commits after a newer one
 * was marked as seen is not counted; the list of alerts has it.
 */
export async function readPulse({ merchant, actor, role }: MemberContext): Promise<Pulse> {
  const [row] = await sql()<{ sequence: bigint; unseen: number; latest: string | null }[]>`
    select
      coalesce((select last_sequence from event_counters where merchant_id = ${merchant.id}), 0) as sequence,
      (select count(*) filter (where type = any(${alertTypesOf(role)}))::int from (
        select type from alerts
        where merchant_id = ${merchant.id}
          and id > coalesce((select up_to from seen_alerts where merchant_id = ${merchant.id} and user_id = ${actor.id}), '')
        order by id desc limit ${MAX_COUNTED}) unseen) as unseen,
      (select id from alerts where merchant_id = ${merchant.id} order by id desc limit 1) as latest`;
  if (!row) throw new Error("no pulse");
  return { sequence: row.sequence, unseenAlerts: row.unseen, latestAlertId: row.latest };
}
