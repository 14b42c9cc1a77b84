import { sql } from "#db/client.ts";
import { money, toPlainDigits } from "#lib/money.ts";
import type { OperatorContext, SystemContext } from "../context.ts";

interface EntryRow {
  transfer_id: string;
  key: string;
  account: string;
  normal_side: "debit" | "credit";
  side: "debit" | "credit";
  posted: bigint;
  balance_after: bigint;
  currency: "NGN" | "USD";
  type: string | null;
  reference: string | null;
  created_at: string;
}

/**
 * Yields the books of a merchant as a journal for hledger, one posted transfer at a time. Every entry has a balance assertion, so
 * `hledger check` proves that the balances follow from the entries. Debits are positive. Holds move nothing and are left out. The order of
 * the transfers agrees with the order of entries in every account. Where that puts a later day first, the next transfer repeats its date;
 * the comment has the true time.
 */
export async function* hledgerJournal(_ctx: OperatorContext | SystemContext, merchantId: string): AsyncGenerator<string> {
  const entries = await sql()<EntryRow[]>`
    select e.transfer_id, t.key, e.account, a.normal_side, e.side, e.posted, e.balance_after, a.currency, t.meta->>'type' as type,
      t.meta->>'reference' as reference, t.created_at
    from ledger_entries e
    join ledger_accounts a on a.merchant_id = ${merchantId} and a.account = e.account
    join ledger_transfers t on t.merchant_id = ${merchantId} and t.id = e.transfer_id
    where e.merchant_id = ${merchantId} and e.posted <> 0
    order by e.account, e.seq`;
  let date = "";
  for (const pair of inOrder(entries)) {
    const [first] = pair;
    if (!first) continue;
    const at = new Date(first.created_at).toISOString();
    date = at.slice(0, 10) > date ? at.slice(0, 10) : date;
    const description = [first.type ?? "transfer", first.reference ?? ""].map(plain).join(" ").trim();
    const lines = pair.map((entry) => `    ${merchantId}:${entry.account}  ${amountOf(entry)} = ${balanceOf(entry)}`);
    yield `${date} (${plain(first.key)}) ${description}  ; ${at}\n${lines.join("\n")}\n\n`;
  }
}

/** Replaces every character that hledger may read as part of the format. */
const plain = (text: string) => text.replaceAll(/[^\w:.@/-]/g, "_");

const inCurrency = (minor: bigint, currency: EntryRow["currency"]) => `${currency} ${toPlainDigits(money(minor, currency))}`;
const amountOf = ({ side, posted, currency }: EntryRow) => inCurrency(side === "debit" ? posted : -posted, currency);
const balanceOf = ({ normal_side, balance_after, currency }: EntryRow) =>
  inCurrency(normal_side === "debit" ? balance_after : -balance_after, currency);

/**
 * Yields the entries of each transfer, in an order that agrees with the order of every account. `entries` is ordered by account and `seq`.
 */
function* inOrder(entries: EntryRow[]): Generator<EntryRow[]> {
  const queues = Map.groupBy(entries, ({ account }) => account);
  const heads = new Map([...queues.keys()].map((account) => [account, 0]));
  const ofTransfer = Map.groupBy(entries, ({ transfer_id }) => transfer_id);
  const headOf = (account: string) => queues.get(account)?.[heads.get(account) ?? 0];
  const work = [...queues.keys()];
  let done = 0;
  for (let account = work.pop(); account !== undefined; account = work.pop()) {
    const transferId = headOf(account)?.transfer_id;
    const pair = transferId === undefined ? undefined : ofTransfer.get(transferId);
    // Another account of this transfer has earlier entries. When it reaches the transfer, it yields it.
    if (!pair || pair.some((entry) => headOf(entry.account) !== entry)) continue;
    for (const entry of pair) heads.set(entry.account, (heads.get(entry.account) ?? 0) + 1);
    work.push(...pair.map((entry) => entry.account));
    done += pair.length;
    yield pair;
  }
  if (done !== entries.length) throw new Error("the entries of the accounts contradict each other: no order agrees with all of them");
}
