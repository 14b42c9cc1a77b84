import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { dollars, naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { aCard, addToWallet, spendOf } from "../cards/cards.fixture.ts";
import { changeCard, fundCard, simulateSpend } from "../cards/index.ts";
import { aLink, hear, noticeOf } from "../checkout/checkout.fixture.ts";
import { aMerchant, anOperator } from "../merchants/merchant.fixture.ts";
import { buyProduct } from "../vtu/index.ts";
import { airtime, aPhone, readListOf } from "../vtu/vtu.fixture.ts";
import { hledgerJournal } from "./export-hledger.ts";

withDatabase();
withApp();
withCardSweeps();

let merchantId = "";
let journal = "";

/** Whether Debian's package `hledger` is installed. */
const hasHledger = spawnSync("hledger", ["--version"]).status === 0;

/** Checks a journal with hledger. Returns its exit status and its error output. */
function check(text: string): { status: number | null; errors: string } {
  const file = join(mkdtempSync(join(tmpdir(), "oja-books-")), "books.journal");
  writeFileSync(file, text);
  const { status, stderr } = spawnSync("hledger", ["-f", file, "check", "assertions", "ordereddates"], { encoding: "utf8" });
  return { status, errors: stderr };
}

beforeAll(async () => {
  const shop = await aMerchant();
  merchantId = shop.merchant.id;
  await addToWallet(shop, naira(500_000));
  const link = await aLink(shop);
  const paid = noticeOf(link);
  await hear(paid);
  const card = await aCard(shop, { balance: 20 });
  await Promise.all(times(4, () => fundCard(shop.ctx, card.id, { amount: dollars(5) })));
  const authorization = await simulateSpend(shop.ctx, card.id, spendOf({ amount: dollars(5) }));
  await simulateSpend(shop.ctx, card.id, spendOf({ type: "CLEARING", amount: dollars(7), related_transaction_id: authorization.id }));
  await changeCard(shop.ctx, card.id, "terminate");
  await readListOf("sandbox");
  await Promise.all(times(4, () => buyProduct(shop.ctx, airtime())));
  await buyProduct(shop.ctx, airtime({ phone: aPhone("0000") }));
  await hear({ ...paid, returnedBecause: "recalled" });
  for await (const transaction of hledgerJournal(anOperator, merchantId)) journal += transaction;
});

const ENTRY = /^ {4}(\S+) {2}(NGN|USD) (-?[\d.]+) = \2 (-?[\d.]+)$/gm;
const minor = (digits: string) => BigInt(digits.replace(".", ""));

test("the exported books have every posted entry once, each with the balance that follows from the entries before it", async () => {
  const balances = new Map<string, bigint>();
  const entries = [...journal.matchAll(ENTRY)];
  for (const [, account = "", , amount = "", balance = ""] of entries) {
    const after = (balances.get(account) ?? 0n) + minor(amount);
    expect(after).toBe(minor(balance));
    balances.set(account, after);
  }
  const accounts = await sql()<{ account: string; balance: bigint; entries: bigint }[]>`
    select a.account, a.posted_debits - a.posted_credits as balance,
      (select count(*) from ledger_entries e where e.merchant_id = a.merchant_id and e.account = a.account and e.posted <> 0) as entries
    from ledger_accounts a where a.merchant_id = ${merchantId}`;
  for (const { account, balance } of accounts) expect(balances.get(`${merchantId}:${account}`) ?? 0n).toBe(balance);
  expect(entries).toHaveLength(Number(accounts.reduce((sum, each) => sum + each.entries, 0n)));
  expect(entries.length).toBeGreaterThan(40);
});

test.skipIf(!hasHledger)("hledger accepts the exported books, and refuses them when one amount is wrong by a kobo", () => {
  expect(check(journal)).toEqual({ status: 0, errors: "" });
  const wrong = journal.replace(/NGN (\d+)\.00 = /, "NGN $1.01 = ");
  expect(wrong).not.toBe(journal);
  expect(check(wrong).status).not.toBe(0);
});
