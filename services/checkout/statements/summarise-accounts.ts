import { readLong, transaction } from "#db/client.ts";
import { leastIdAt } from "#lib/ids.ts";
import { DAY_MS, startOfLagosDay } from "#lib/time.ts";
import { storeCounts } from "./store-day.ts";

/**
 * Stores of a bank without statements how many accounts links of a day have, and of how many the last reading is done. What else the bank holds
 * cannot be known.
 */
export async function summariseAccounts(provider: string, day: string): Promise<void> {
  const start = startOfLagosDay(day).getTime();
  const [since, before] = [leastIdAt("paymentLink", start), leastIdAt("paymentLink", start + DAY_MS)];
  const [counts] = await readLong(
    (sql) => sql<{ lines: number; matched: number }[]>`
      select count(*)::int as lines, count(*) filter (where next_read_at is null)::int as matched from one_time_accounts
      where provider = ${provider} and link_id >= ${since} and link_id < ${before}`,
  );
  await transaction((tx) =>
    storeCounts(tx, { provider, day, source: "accounts", lines: counts?.lines ?? 0, matched: counts?.matched ?? 0 }),
  );
}
