import { describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { addToWallet } from "../cards/cards.fixture.ts";
import { aLink, hear, noticeOf } from "../checkout/checkout.fixture.ts";
import type { TestMerchant } from "../merchants/merchant.fixture.ts";
import { settleAnswer } from "../vtu/buying/settle-answers.ts";
import { aClaimedPurchase, aVtuMerchant, DELIVERED, FAILED, settleAsRead } from "../vtu/vtu.fixture.ts";
import { getWallet, listDebts, RECEIVABLE, SETTLEMENT_BANK, type Transfer, WALLET } from "./index.ts";
import { newKey, post, spend } from "./ledger.fixture.ts";
import type { Debts } from "./list-debts.ts";

withDatabase();
withApp();

/** Returns a charge that the wallet need not cover. */
const charge = (amount: number): Transfer => ({
  kind: "post",
  key: newKey(),
  debit: WALLET,
  credit: SETTLEMENT_BANK,
  amount: naira(amount),
  overflow: RECEIVABLE,
});

const pay = async (shop: TestMerchant, amount: number) => {
  const link = await aLink(shop, { amount });
  const paid = noticeOf(link);
  await hear(paid);
  return { link, paid };
};

describe("the list of debts", () => {
  test("names what raised the debt and whose money paid it, newest first", async () => {
    const shop = await aVtuMerchant({ wallet: 500 });
    const { id: merchantId } = shop.merchant;
    const purchase = await aClaimedPurchase(shop);
    const { link, paid } = await pay(shop, 5_000);
    await post(merchantId, spend(naira(5_000).minor));
    await hear({ ...paid, noticeId: "recall", returnedBecause: "recalled" });
    await settleAnswer(purchase, FAILED);
    await addToWallet(shop, naira(1_000));
    const { link: second } = await pay(shop, 4_000);
    await post(merchantId, spend(naira(300).minor));
    await settleAsRead(purchase, DELIVERED);

    const ofLink = ({ id, reference }: typeof link) => ({ type: "payment_link", id, reference, cardId: null });
    const ofPurchase = { type: "purchase", id: purchase.id, reference: purchase.id, cardId: null };
    const recovery = { type: "receivable_recovery", change: "paid" };
    const { owed, entries, hasMore } = await listDebts(shop.ctx);
    expect({ owed, hasMore }).toEqual({ owed: naira(300), hasMore: false });
    expect(entries).toMatchObject([
      { type: "vtu_airtime_late_success", change: "raised", amount: naira(300), owedAfter: naira(300), related: ofPurchase },
      { ...recovery, amount: naira(3_500), owedAfter: naira(0), related: ofLink(second) },
      { ...recovery, amount: naira(1_000), owedAfter: naira(3_500), related: null },
      { ...recovery, amount: naira(500), owedAfter: naira(4_500), related: ofPurchase },
      { type: "payment_link_recall", change: "raised", amount: naira(5_000), owedAfter: naira(5_000), related: ofLink(link) },
    ]);
    expect((await getWallet(shop.ctx)).owed).toEqual(owed);
    const [row] = await sql()<{ id: string }[]>`
      select transfer_id as id from ledger_entries where merchant_id = ${merchantId} and account = ${RECEIVABLE} order by seq desc limit 1`;
    expect(entries[0]?.id).toBe(row?.id);
    await expectInvariantsToHold();
  });

  test("is empty for a merchant that owes nothing, whatever another merchant owes", async () => {
    const debtor = await aVtuMerchant({ wallet: 0 });
    await post(debtor.merchant.id, charge(100));
    const shop = await aVtuMerchant({ wallet: 100 });
    expect(await listDebts(shop.ctx)).toEqual({ owed: naira(0), entries: [], hasMore: false });
  });

  test("of 51 entries has the newest 50, and says that there are more", async () => {
    const shop = await aVtuMerchant({ wallet: 0 });
    for (let n = 1; n <= 50; n++) await post(shop.merchant.id, charge(n));
    expect(await listDebts(shop.ctx)).toMatchObject({ hasMore: false, owed: naira(1_275) });
    await addToWallet(shop, naira(1_000));
    const { owed, entries, hasMore } = await listDebts(shop.ctx);
    expect({ owed, hasMore, entries: entries.length }).toEqual({ owed: naira(275), hasMore: true, entries: 50 });
    expect(entries.map(({ change, amount }) => [change, amount])).toEqual([
      ["paid", naira(1_000)],
      ...Array.from({ length: 49 }, (_, n) => ["raised", naira(50 - n)]),
    ]);
  });

  test("ends at the debt of the wallet at every moment while debts are raised and paid", async () => {
    const shop = await aVtuMerchant({ wallet: 0 });
    // Each round adds less than it charges, so that the debt grows at any speed.
    const chargeAndPay = async () => {
      await post(shop.merchant.id, charge(3));
      await addToWallet(shop, naira(2));
    };
    const readings: Debts[] = [];
    for (let round = 0; round < 50; round++) {
      const reading = times(4, async () => void readings.push(await listDebts(shop.ctx)));
      await Promise.all([...times(4, chargeAndPay), ...reading]);
    }
    expect(readings).toHaveLength(200);
    expect(new Set(readings.map(({ owed }) => owed.minor)).size).toBeGreaterThan(50);
    for (const { owed, entries } of readings) expect(entries[0]?.owedAfter ?? naira(0)).toEqual(owed);
    await expectInvariantsToHold();
  });
});
