import { hash } from "node:crypto";
import type { Sql } from "#db/client.ts";
import type { Currency } from "#lib/money.ts";
import { ADJUSTMENT, type EntryRow, WALLET } from "../ledger/index.ts";
import { rowOf } from "../list-window.ts";
import type { Head } from "./seal.ts";

/** An entry of a wallet with the purpose of its transfer. */
interface RawEntry extends EntryRow {
  /** Null where the transfer is missing. */
  currency: Currency | null;
  meta: { type?: string; reference?: string } | null;
}

/** Thrown for an entry without its transfer, which the ledger never creates. */
export class TransferMissing extends Error {
  readonly seq: bigint;

  constructor(seq: bigint) {
    super(`the transfer of entry ${seq} is missing`);
    this.seq = seq;
  }
}

/** Before the first entry. */
export const START: Head = { seq: 0n, count: 0n, hash: "0".repeat(64) };

/**
 * Returns the head after more entries, which are the next ones in order. Each entry that moved the balance adds a hash of the previous hash and
 * of its line; an entry of a hold is skipped. The hashed text is the one that the API shows, so that a merchant can compute it
 * (docs/wallet-proof.md): never change it.
 */
export function extend(head: Head, entries: readonly RawEntry[]): Head {
  let { seq, count, hash: last } = head;
  for (const entry of entries) {
    seq = entry.seq;
    if (entry.posted === 0n) continue;
    count += 1n;
    last = hash("sha256", `${last}|${lineOf(entry)}`);
  }
  return { seq, count, hash: last };
}

/** The reference stands last, because it may have any character. No type has the separator; one that was changed to have it counts as another. */
function lineOf({ seq, transfer_id: id, side, posted, balance_after: balance, currency, created_at: at, meta }: RawEntry): string {
  if (meta === null) throw new TransferMissing(seq);
  const { type = ADJUSTMENT, reference = "" } = meta;
  const words = type.replaceAll("|", "");
  return [seq, id, side, toMajor(posted), toMajor(balance), currency, new Date(at).toISOString(), words, reference].join("|");
}

/** Returns major units with two decimals, such as `5000.50`. */
const toMajor = (minor: bigint): string => `${minor / 100n}.${String(minor % 100n).padStart(2, "0")}`;

/**
 * Returns the entries of a wallet behind `after` and up to `to`, at most `limit`, in order. Reads the transfer of each by its key, so
 * that the planner cannot join all transfers of the merchant (docs/decisions/0013).
 */
export const readEntries = (
  query: Sql,
  merchantId: string,
  { after, to, limit }: { after: bigint; to: bigint; limit: number },
): Promise<RawEntry[]> => query<RawEntry[]>`
  select e.seq, e.transfer_id, e.side, e.posted, e.balance_after, e.created_at, x.currency, x.meta
  from (
    select * from ledger_entries
    where merchant_id = ${merchantId} and account = ${WALLET} and seq > ${String(after)}::text::bigint and seq <= ${String(to)}::text::bigint
    order by seq limit ${limit}
  ) e
  left join lateral (${rowOf(query, merchantId, { table: "ledger_transfers", column: "id", is: query`e.transfer_id` })}) x on true
  order by e.seq`;
