import { sql } from "#db/client.ts";

const KEPT_FOR_DAYS = 30;

/** Forgets attempts older than 30 days; deliveries and events stay. Answers how many. */
export async function purgeOldAttempts(): Promise<number> {
  const rows = await sql()`delete from webhook_attempts where started_at < now() - ${KEPT_FOR_DAYS} * interval '1 day' returning 1`;
  return rows.length;
}
