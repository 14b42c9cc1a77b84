import { sql } from "#db/client.ts";
import { firstSince } from "#lib/first-since.ts";

/**
 * Entries have the time at which their transaction began, so times may go back within the sequence. Assumes that no transaction takes
 * longer.
 */
export const MAX_OUT_OF_ORDER_MS = 60_000;

/**
 * Returns the number of an account's first entry since a time, or the number after its last entry. Searches by numbers, because entries have
 * no index of times. Times that go back may make it err by `MAX_OUT_OF_ORDER_MS`.
 */
export async function firstEntrySince(merchantId: string, account: string, since: Date): Promise<bigint> {
  const [ledgerAccount] = await sql()<{ seq: bigint }[]>`
    select seq from ledger_accounts where merchant_id = ${merchantId} and account = ${account}`;
  return firstSince(
    since,
    ledgerAccount?.seq ?? 0n,
    (numbers) => sql()`
      select seq as number, created_at from ledger_entries
      where merchant_id = ${merchantId} and account = ${account} and seq = any(${numbers.map(String)}::text[]::bigint[])`,
  );
}
