import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { findBrokenInvariants } from "#db/invariants.ts";
import { dollars, naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { brokenAfter, brokenInvariants, withDatabase } from "#testing/database.ts";
import { aCard, addToWallet, spendOf } from "../services/cards/cards.fixture.ts";
import { simulateSpend, unloadCard } from "../services/cards/index.ts";
import { aLink, anExpiredLink, hear, noticeOf } from "../services/checkout/checkout.fixture.ts";
import { systemContext } from "../services/context.ts";
import { advanceFigures } from "../services/figures/index.ts";
import { SETTLEMENT_BANK, WALLET } from "../services/ledger/index.ts";
import { hold, post } from "../services/ledger/ledger.fixture.ts";
import { aMerchant } from "../services/merchants/merchant.fixture.ts";
import { buyProduct } from "../services/vtu/index.ts";
import { airtime, aPhone, purchaseThatIs, readListOf } from "../services/vtu/vtu.fixture.ts";

withDatabase();
withApp();
withCardSweeps();

let merchantId: string;

const CAUSE = "every posting has a cause";

/** Returns a statement that adds a posting like the first one that `of` describes. `changes` are columns with their SQL expressions. */
const another = (of: string, changes: Record<string, string>): string => `
  insert into ledger_transfers select (jsonb_populate_record(t, jsonb_build_object('id', 'another', ${Object.entries(changes)
    .map(([column, expression]) => `'${column}', ${expression}`)
    .join(", ")}))).*
  from ledger_transfers t where t.merchant_id = $1 and t.result = 'posted' and t.${of} limit 1`;
/** The key of the thing that a posting's key begins with, and the rest of another key. */
const keyOfSame = (rest: string): string => `split_part(t.key, ':', 1) || '${rest}'`;

beforeAll(async () => {
  const shop = await aMerchant();
  merchantId = shop.merchant.id;
  const [paid, wrong] = [await aLink(shop), await aLink(shop)];
  const { link: replaced } = await anExpiredLink(shop);
  await aLink(shop, { replaces: replaced.reference });
  await hear(noticeOf(paid));
  await hear(noticeOf(wrong, { amount: naira(1) }));
  await addToWallet(shop, naira(100_000));
  const card = await aCard(shop, { balance: 20 });
  const authorization = await simulateSpend(shop.ctx, card.id, spendOf({ amount: dollars(5) }));
  await simulateSpend(shop.ctx, card.id, spendOf({ type: "CLEARING", amount: dollars(2), related_transaction_id: authorization.id }));
  await unloadCard(shop.ctx, card.id, { amount: dollars(3) });
  await readListOf("sandbox");
  const bought = await buyProduct(shop.ctx, airtime({ phone: aPhone("5555") }));
  await buyProduct(shop.ctx, airtime({ phone: aPhone("0000") }));
  await buyProduct(shop.ctx, airtime());
  await purchaseThatIs("reversed", shop, bought.id);
  await post(merchantId, hold(100n));
  await advanceFigures(systemContext("test"));
});

test("a sound database breaks no invariant", async () => {
  expect(await brokenInvariants()).toEqual([]);
});

test("a statement that changes nothing breaks nothing, so each invariant below is broken by its own statement", async () => {
  expect(await brokenAfter("update ledger_transfers set key = key where merchant_id = $1", [merchantId])).toEqual([]);
});

describe("an invariant reports", () => {
  const business = "business_id = (select business_id from merchants where id = $1)";
  const wallet = "merchant_id = $1 and account = 'wallet'";
  test.each([
    ["a deleted entry", `delete from ledger_entries where ${wallet} and seq = 1`, "columns equal"],
    [
      "an entry without a transfer",
      `update ledger_entries set transfer_id = 'nobody' where ${wallet} and seq = 1`,
      "every entry belongs to",
    ],
    ["an entry with a wrong amount", `update ledger_entries set posted = posted + 1 where ${wallet} and seq = 1`, "debits equal credits"],
    [
      "an account changed without an entry",
      `update ledger_accounts set posted_credits = posted_credits + 1 where ${wallet}`,
      "columns equal",
    ],
    ["a gap in the numbers of entries", `update ledger_entries set seq = 999 where ${wallet} and seq = 2`, "without gaps"],
    ["a wrong running balance", `update ledger_entries set balance_after = 1 where ${wallet} and seq = 1`, "running balance"],
    ["a pending balance that lacks an open hold", `update ledger_accounts set pending_debits = 0 where ${wallet}`, "pending balance"],
    [
      "a paid link without an accepted transfer",
      "update bank_transfers set disposition = 'returned' where merchant_id = $1",
      "a paid link has",
    ],
    [
      "a bank transfer whose amount differs from its wallet credit",
      "update bank_transfers set amount = amount + 1 where merchant_id = $1 and disposition = 'accepted'",
      "every wallet credit",
    ],
    [
      "a returned transfer that is still in suspense",
      "update bank_transfers set return_state = 'done' where merchant_id = $1 and return_state = 'owed'",
      "suspense has",
    ],
    [
      "a processing funding whose hold was captured",
      "update card_operations set status = 'processing', completed_at = null, next_attempt_at = now() - interval '1 second' where merchant_id = $1 and type = 'fund'",
      "the hold of a card operation",
    ],
    [
      "a funding whose rate does not give its wallet amount",
      "update card_operations set exchange_rate = 16000001 where merchant_id = $1 and type = 'fund'",
      "follows from its rate",
    ],
    [
      "an unload whose wallet amount differs from the wallet credit",
      "update card_operations set type = 'terminate', amount = amount + 1, wallet_amount = wallet_amount + 1500 where merchant_id = $1 and type = 'unload'",
      "got an unload or the rest",
    ],
    [
      "a funding of more than the card's account got",
      "update card_operations set amount = amount + 1 where merchant_id = $1 and type = 'fund'",
      "a card's account equals",
    ],
    ["a deleted card transaction", "delete from card_transactions where merchant_id = $1 and type = 'CLEARING'", "a card's account equals"],
    [
      "an authorization whose open amount has no hold",
      "update card_transactions set open_amount = 1 where merchant_id = $1 and type = 'AUTHORIZATION'",
      "is held on its card",
    ],
    [
      "a processing purchase whose hold was resolved",
      "update purchases set status = 'processing', charged = 0, completed_at = null where merchant_id = $1 and status = 'failed'",
      "the hold of a purchase",
    ],
    [
      "a failed purchase that the wallet paid for",
      "update purchases set status = 'failed', failure_reason = 'x', charged = 0 where merchant_id = $1 and status = 'success'",
      "the wallet paid exactly",
    ],
    ["a deleted purchase", "delete from purchases where merchant_id = $1 and status = 'success'", "the debt to aggregators"],
    ["a reversal without an exception", "delete from purchase_exceptions where merchant_id = $1", "an exception that an operator can see"],
    [
      "a price without a price record",
      "update products set selling_price = 1 where $1 <> '' and service = 'exam'",
      "its newest price record",
    ],
    ["a card account without a card", "delete from cards where merchant_id = $1", "has an account"],
    ["a deleted entry of the audit", `delete from audit_entries where ${business} and seq = 1`, "audit of a business"],
    ["an audit whose head is not its last entry", `delete from audit_entries where ${business} and seq > 1`, "audit of a business"],
    ["an audit whose head has another hash", `update audit_heads set hash = repeat('0', 64) where ${business}`, "audit of a business"],
    ["an audit without a head", `delete from audit_heads where ${business}`, "audit of a business"],
    [
      "a replaced link that does not name its replacement",
      "update payment_links set replaced_by = null where merchant_id = $1 and replaced_by is not null",
      "name each other",
    ],
    [
      "a replacement that does not name the replaced link",
      "update payment_links set replaces = null, first_link_id = null where merchant_id = $1 and replaces is not null",
      "name each other",
    ],
    [
      "a paid link with a pending replacement",
      "update payment_links set status = 'success', paid_at = now() where merchant_id = $1 and replaced_by is not null",
      "no link of a paid order is pending",
    ],
    [
      "an order that is paid without a paid link",
      "update payment_links set order_paid_by = reference where merchant_id = $1 and replaces is null and replaced_by is not null",
      "no link of a paid order is pending",
    ],
    [
      "a replacement that belongs to another chain",
      "update payment_links set first_link_id = 'another' where merchant_id = $1 and replaces is not null",
      "name each other",
    ],
    [
      "a figure of the wallet with a kobo too much",
      "update daily_figures set kobo = kobo + 1 where merchant_id = $1 and source = 'wallet'",
      "the wallet figures of each day",
    ],
    [
      "a figure of the wallet that counts an entry twice",
      "update daily_figures set count = count + 1 where merchant_id = $1 and source = 'wallet'",
      "the wallet figures of each day",
    ],
    [
      "a figure on another day than its entries",
      "update daily_figures set day = day + 1 where merchant_id = $1 and source = 'wallet'",
      "the wallet figures of each day",
    ],
    ["deleted figures", "delete from daily_figures where merchant_id = $1 and source = 'wallet'", "the wallet figures of each day"],
    ["figures without a cursor", "delete from figure_cursors where merchant_id = $1", "the wallet figures of each day"],
    [
      "a figure of events that counts one twice",
      "update daily_figures set count = count + 1 where merchant_id = $1 and source = 'event'",
      "the event figures of each day",
    ],
    [
      "a deleted figure of events",
      "delete from daily_figures where merchant_id = $1 and source = 'event'",
      "the event figures of each day",
    ],
    [
      "a cursor beyond the last entry",
      "update figure_cursors set wallet_seq = wallet_seq + 1000 where merchant_id = $1",
      "no cursor of figures",
    ],
    [
      "a cursor beyond the last event",
      "update figure_cursors set event_sequence = event_sequence + 1000 where merchant_id = $1",
      "no cursor of figures",
    ],
    ["a deleted event", "delete from events where merchant_id = $1 and sequence = 1", "events are numbered"],
    [
      "a posting under a key of nothing",
      "update ledger_transfers set key = 'gift:1' where merchant_id = $1 and key like 'bank\\_transfer:%' and credit_account = 'wallet'",
      CAUSE,
    ],
    [
      "a posting that its purchase could not have made",
      "update ledger_transfers set key = split_part(key, ':', 1) || ':gift' where merchant_id = $1 and key like 'vtu\\_%:capture'",
      CAUSE,
    ],
    [
      "a posting of more than its purchase",
      "update purchases set unit_price = 1, amount = 1, charged = 1 where merchant_id = $1 and status = 'success'",
      CAUSE,
    ],
    [
      "a posting between other accounts than its operation's",
      "update ledger_transfers set debit_account = 'settlement:bank' where merchant_id = $1 and key like 'cop\\_%:fee'",
      CAUSE,
    ],
    [
      "a recall that went elsewhere than back to the bank",
      `with recalled as (update bank_transfers set disposition = 'recalled' where merchant_id = $1 and disposition = 'accepted')
      ${another("key like 'bank\\_transfer:%' and t.credit_account = 'wallet'", { key: "t.key || ':recall'", debit_account: "'wallet'", credit_account: "'suspense'" })}`,
      CAUSE,
    ],
    [
      "a second charge of a purchase that was never corrected",
      another("key like 'vtu\\_%:capture'", { key: keyOfSame(":late:9"), kind: "'post'", resolves_id: "null" }),
      CAUSE,
    ],
    [
      "dollars that a funding gave back which was never corrected",
      another("key like 'cop\\_%:card' and t.credit_account like 'card:%'", {
        key: keyOfSame(":given_back:card"),
        debit_account: "t.credit_account",
        credit_account: "'fx:usd'",
      }),
      CAUSE,
    ],
    [
      "a debt of a posting that the wallet covered",
      another("key like 'bank\\_transfer:%' and not t.overflowed", { key: "t.key || ':overflow'", debit_account: "'receivable:merchant'" }),
      CAUSE,
    ],
    [
      "a hold of more than its purchase",
      "update ledger_transfers set amount = amount + 1 where merchant_id = $1 and key like 'vtu\\_%:hold'",
      CAUSE,
    ],
    [
      "an unload that took more from its card than it says",
      "update ledger_transfers set amount = amount + 1 where merchant_id = $1 and key like 'cop\\_%:card' and debit_account like 'card:%'",
      CAUSE,
    ],
    [
      "a spend of a card without its event",
      "update events set type = 'card.frozen' where merchant_id = $1 and type = 'card.transaction'",
      "is final has its event",
    ],
    [
      "a paid replacement whose order does not say that it is paid",
      `update payment_links set status = (case when replaces is null then 'expired' else 'success' end)::link_status,
        paid_at = case when replaces is not null then now() end, order_paid_by = null
      where merchant_id = $1 and (replaces is not null or replaced_by is not null)`,
      "no link of a paid order is pending",
    ],
    [
      "a purchase of a file that is over which no row has noted",
      `with o as (
        insert into bulk_orders (merchant_id, id, service, status, made_by, buyer_id, confirmed_at, completed_at)
        values ($1, 'blk_x', 'airtime', 'done', 'member:x', 'x', now(), now()) returning id
      ) insert into bulk_rows (merchant_id, bulk_order_id, row, status, cells, recipient, product_id, product_name, amount, purchase_id)
      select $1, o.id, 2, 'ready', '{}', p.recipient, 1, 'x', p.amount, p.id from o, purchases p where p.merchant_id = $1 and p.status = 'failed'`,
      "a bought row of a bulk order",
    ],
    [
      "a dismissed part of a return that nothing moved",
      "insert into suspense_items (merchant_id, id, kind, card_id, amount, open, dismissed, resolved_at, resolution) values ($1, 'sus_x', 'returned_by_issuer', 'card_x', 5, 0, 5, now(), 'dismissed: x')",
      "the parts of a difference",
    ],
    [
      "a final purchase without its event",
      "update events set type = 'vtu.failed' where merchant_id = $1 and type = 'vtu.success'",
      "is final has its event",
    ],
    [
      "a paid link without its event",
      "update events set type = 'checkout.expired' where merchant_id = $1 and type = 'checkout.success'",
      "is final has its event",
    ],
    [
      "a funding without its event",
      "update events set type = 'card.unloaded' where merchant_id = $1 and type = 'card.funded'",
      "is final has its event",
    ],
    [
      "a delivery of no event",
      "insert into webhook_deliveries (merchant_id, id, endpoint_id, event_id, event_type, sequence) values ($1, 'del_x', 'whe_x', 'evt_x', 'vtu.success', 9)",
      "a delivery is of an event",
    ],
    [
      "an endpoint that lacks a delivery",
      "insert into webhook_endpoints (merchant_id, id, url, created_at) values ($1, 'whe_y', 'https://shop.example', now() - interval '1 hour')",
      "a delivery is of an event",
    ],
    [
      "a credit for dollars of an ended card without the dollars",
      "update ledger_transfers set key = 'card_transaction:ctx_x:passed_on:wallet', meta = '{\"exchange_rate\":\"15000000\"}' where merchant_id = $1 and key like 'cop\\_%:wallet' and credit_account = 'wallet'",
      "moved the wallet by their worth",
    ],
    [
      "a bought row of a file without its purchase",
      `with o as (
        insert into bulk_orders (merchant_id, id, service, status, made_by, buyer_id, confirmed_at, completed_at)
        values ($1, 'blk_x', 'airtime', 'done', 'member:x', 'x', now(), now()) returning id
      ) insert into bulk_rows (merchant_id, bulk_order_id, row, status, cells, recipient, product_id, product_name, amount, purchase_id)
      select $1, id, 2, 'bought', '{}', '+234', 1, 'x', 1, 'vtu_x' from o`,
      "a bought row of a bulk order",
    ],
    [
      "a difference whose postings left something else",
      "insert into suspense_items (merchant_id, id, kind, card_id, amount, open) values ($1, 'sus_x', 'kept_by_issuer', 'card_x', 5, 5)",
      "the parts of a difference",
    ],
  ])("%s", async (_name, statement, invariant) => {
    const names = await brokenAfter(statement, [merchantId]);
    expect(names.join("\n")).toContain(invariant);
  });
});

test("invariants can be checked for one merchant or one period alone", async () => {
  const other = await aMerchant();
  await post(other.merchant.id, { kind: "post", key: "gift:1", debit: SETTLEMENT_BANK, credit: WALLET, amount: naira(1) });
  const brokenIn = async (scope: Parameters<typeof findBrokenInvariants>[1]) =>
    (await findBrokenInvariants(sql(), scope)).flatMap(({ rows }) => rows.map(({ key }) => key)).filter((key) => key === "gift:1");
  expect(await brokenIn({ merchantId: other.merchant.id })).toEqual(["gift:1"]);
  expect(await brokenIn({ merchantId })).toEqual([]);
  expect(await brokenIn({})).toEqual(["gift:1"]);
  const hourAgo = new Date(Date.now() - 3_600_000);
  expect(await brokenIn({ since: hourAgo })).toEqual(["gift:1"]);
  expect(await brokenIn({ until: hourAgo })).toEqual([]);
});

test("an invariant reports a second wallet credit for one bank transfer", async () => {
  await post(merchantId, { kind: "post", key: "bank_transfer:nobody", debit: SETTLEMENT_BANK, credit: WALLET, amount: naira(5_000) });
  expect((await brokenInvariants()).map(({ name }) => name)).toEqual([
    "every wallet credit for a bank transfer has one accepted transfer of its amount",
    expect.stringContaining("every posting has a cause"),
  ]);
});
