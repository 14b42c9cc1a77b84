import { sql } from "#db/client.ts";

const KEPT_FOR_DAYS = 30;
const AT_ONCE = 5_000;

/** Forgets attempts older than 30 days; deliveries and events stay. Answers how many. */
export async function purgeOldAttempts(): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const { count } = await sql()`
      delete from webhook_attempts a using (
        select merchant_id, delivery_id, number from webhook_attempts
        where started_at < now() - ${KEPT_FOR_DAYS} * interval '1 day' order by started_at limit ${AT_ONCE}
      ) old
      where a.merchant_id = old.merchant_id and a.delivery_id = old.delivery_id and a.number = old.number`;
    forgotten += count;
    if (count < AT_ONCE) return forgotten;
  }
}
