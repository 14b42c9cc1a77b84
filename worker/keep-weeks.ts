import { sql } from "#db/client.ts";
import { dropOldWeeks, makeWeeks } from "#db/weeks.ts";
import { log } from "#lib/log.ts";
import { alertOperators } from "#services/alerts/index.ts";

/** Makes the next weeks of logs and drops old ones. If none could be made, alerts operators; existing weeks last up to two weeks. */
export async function keepWeeksOfLogs(): Promise<void> {
  await makeWeeks(sql()).catch(alertAndThrow);
  const { dropped, busy } = await dropOldWeeks(sql());
  if (dropped.length > 0) log().info({ dropped }, "old weeks of logs were dropped");
  if (busy.length > 0) log().warn({ busy }, "old weeks of logs are in use; they are dropped in an hour");
}

async function alertAndThrow(error: unknown): Promise<never> {
  const message =
    "The next week of the logs of requests and deliveries could not be made; the log says why. When the last one is over, in two weeks at most, deliveries are not recorded.";
  await alertOperators("live", { type: "logs.no_week", resourceId: "logs", message });
  throw error;
}
