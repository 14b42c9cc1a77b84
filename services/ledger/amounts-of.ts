import { and, eq, inArray } from "drizzle-orm";
import type { Database, Tx } from "#db/client.ts";
import { ledgerTransfers } from "#db/schema/ledger.ts";

/** Returns the amounts (minor units) of those transfers of a merchant that were posted under `keys`. */
export async function amountsOf(tx: Tx | Database, merchantId: string, keys: string[]): Promise<Map<string, bigint>> {
  if (keys.length === 0) return new Map();
  const rows = await tx
    .select({ key: ledgerTransfers.key, amount: ledgerTransfers.amount })
    .from(ledgerTransfers)
    .where(and(eq(ledgerTransfers.merchantId, merchantId), inArray(ledgerTransfers.key, keys), eq(ledgerTransfers.result, "posted")));
  return new Map(rows.map(({ key, amount }) => [key, amount ?? 0n]));
}
