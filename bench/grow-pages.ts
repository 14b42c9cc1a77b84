import { DAY_MS } from "#lib/time.ts";
import { systemContext } from "#services/context.ts";
import { readStatement } from "#services/ledger/index.ts";
import { timesOf } from "./dashboard.ts";
import type { Era, Grower } from "./grow-merchants.ts";
import { baselineOf, type Compared, compareTimes, type Pair } from "./grow-requests.ts";

const WARM_ROUNDS = 3;
const PAGE_ROUNDS = 40;
const monthOf = (time: Date) => time.toISOString().slice(0, 7);
const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
const dayOf = (days: number) => ago(days).toISOString().slice(0, 10);

/** A month with more entries takes longer, because the page sums up to 100,000 of them. It has no target. */
export const BUSY_STATEMENT = "page: statement of a month of the newest growth";

/** Compares pages of the dashboard that merge or sum rows, one request at a time, because a session is limited. */
export async function comparePages(url: string, { few, many }: Pair, newest: Era): Promise<Compared[]> {
  const middle = new Date((newest.since.getTime() + newest.until.getTime()) / 2);
  const oldMonth = monthOf(ago(300));
  const pages: [name: string, path: string, pathOfMany?: string][] = [
    ["page: baseline: bare App Router page", "/bench-page"],
    ["page: transactions", "/test/transactions"],
    ["page: transactions of an old day", `/test/transactions?from=${dayOf(300)}&to=${dayOf(299)}`],
    ["page: transactions, failed", "/test/transactions?state=failed"],
    ["page: home", "/test"],
    ["page: statement of an old month", `/test/wallet/statement?month=${oldMonth}`],
    [BUSY_STATEMENT, `/test/wallet/statement?month=${oldMonth}`, `/test/wallet/statement?month=${monthOf(middle)}`],
  ];
  console.log(`the busy month has ${await entriesOf(few, oldMonth)} entries of few, and ${await entriesOf(many, monthOf(middle))} of many`);
  const compared: Compared[] = [];
  for (const [name, path, pathOfMany = path] of pages) {
    const wholeOf = async (grower: Grower, at: string) => (await timesOf(url, grower, at)).wholeMs;
    const calls = { few: () => wholeOf(few, path), many: () => wholeOf(many, pathOfMany), baseline: baselineOf(url, few) };
    compared.push(await compareTimes(name, calls, { rounds: PAGE_ROUNDS, warmRounds: WARM_ROUNDS }));
  }
  return compared;
}

async function entriesOf({ merchantId: id }: Grower, month: string): Promise<bigint> {
  const { numbers } = await readStatement({ ...systemContext("bench"), merchant: { id, mode: "test" } }, month);
  return numbers.end - numbers.first;
}
