import { describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { money, naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { brokenAfter, expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { decidedByTwo } from "../../approved.fixture.ts";
import { operatorAlertsAbout } from "../../cards/cards.fixture.ts";
import { systemContext } from "../../context.ts";
import { aMerchant, anOperator, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { createPayout, setPayoutLimits } from "../../payouts/index.ts";
import { aBankAccount, FAILED, orderPayoutFault, PAID, REVERSED } from "../../payouts/payouts.fixture.ts";
import { walletOf } from "../../vtu/vtu.fixture.ts";
import { aLink, eventTypesOf, noticeOf } from "../checkout.fixture.ts";
import { createRefund, endExpiredRefunds, receiveHintOfRefunds, resolveDueRefunds } from "../index.ts";
import { receiveTransfer } from "../transfers/receive-transfer.ts";
import { alertOnUndecidedRefunds } from "./alert-on-undecided.ts";
import { listRefundsOfLink } from "./list-refunds.ts";
import { aPaidLink, letRefundAge, linkNow, makeRefundDue, refundNow, refundOrdersAt, refundThatIs } from "./refunds.fixture.ts";
import { listStuckRefunds, settleRefundByOperator } from "./settle-by-operator.ts";
import { settleRefund } from "./settle-refund.ts";

withDatabase();
withApp();

const system = systemContext("test");
const PRICE = 5_000;
const kobo = (amount: number) => BigInt(amount) * 100n;

const aShop = () => aMerchant({ bank: "sandbox" });

async function alertsOf({ merchant }: TestMerchant): Promise<string[]> {
  const rows = await sql()<{ type: string }[]>`select type from alerts where merchant_id = ${merchant.id} order by id`;
  return rows.map(({ type }) => type);
}

const sumsOf = async (link: Parameters<typeof linkNow>[0]) => {
  const { refunded, refunding } = await linkNow(link);
  return { refunded: refunded.minor, refunding: refunding.minor };
};

/** Returns a refund whose bank has the order and has not decided yet. */
async function aProcessingRefund(shop: TestMerchant, amount = 2_000) {
  const link = await aPaidLink(shop, { senderAccount: "0123451111" });
  const refund = await createRefund(shop.ctx, { reference: link.reference, amount: naira(amount) });
  expect(refund.status).toBe("processing");
  return { link, refund };
}

describe("a refund through the bank that took the payment", () => {
  test("sends a part back once, and the link says how much", async () => {
    const shop = await aShop();
    const link = await aPaidLink(shop);
    const refund = await createRefund(shop.ctx, { reference: link.reference, amount: naira(2_000), reason: "One bag is torn" });
    expect(refund).toMatchObject({ status: "paid", route: "bank", amount: naira(2_000), reason: "One bag is torn", accountNumber: null });
    expect(refund.reference).toBe(refund.id.toLowerCase());
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: kobo(3_000), held: 0n });
    expect(await sumsOf(link)).toEqual({ refunded: kobo(2_000), refunding: 0n });
    expect((await linkNow(link)).status).toBe("success");
    expect(await eventTypesOf(shop)).toEqual(["checkout.success", "checkout.refund_paid"]);
    expect(await refundOrdersAt(shop)).toBe(1);
    await expectInvariantsToHold();
  });

  test("sends back everything that is left where no amount is named, and then nothing more", async () => {
    const shop = await aShop();
    const link = await aPaidLink(shop);
    await createRefund(shop.ctx, { reference: link.reference, amount: naira(1_234.56) });
    const rest = await createRefund(shop.ctx, { reference: link.reference });
    expect(rest.amount).toEqual(money(kobo(PRICE) - 123_456n, "NGN"));
    await expect(createRefund(shop.ctx, { reference: link.reference })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("is refunded"),
    });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 0n, held: 0n });
    await expectInvariantsToHold();
  });

  test("never sends back more than came, although twelve are asked for at once", async () => {
    const shop = await aShop();
    const link = await aPaidLink(shop);
    await aPaidLink(shop, { amount: 50_000 });
    const answers = await Promise.allSettled(times(12, () => createRefund(shop.ctx, { reference: link.reference, amount: naira(2_000) })));
    const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
    expect(refused).toHaveLength(10);
    for (const error of refused) expect(error).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining("₦1,000.00") });
    expect(await sumsOf(link)).toEqual({ refunded: kobo(4_000), refunding: 0n });
    expect(await refundOrdersAt(shop)).toBe(2);
    await expectInvariantsToHold();
  });

  test("that the bank refuses gives the money back, with one event and one alert, and can be asked for again", async () => {
    const shop = await aShop();
    const link = await aPaidLink(shop, { senderAccount: "0123450000" });
    const refund = await createRefund(shop.ctx, { reference: link.reference });
    expect(refund).toMatchObject({ status: "failed", failureReason: "The account is closed." });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: kobo(PRICE), held: 0n });
    expect(await sumsOf(link)).toEqual({ refunded: 0n, refunding: 0n });
    expect(await eventTypesOf(shop)).toEqual(["checkout.success", "checkout.refund_failed"]);
    expect(await alertsOf(shop)).toEqual(["refund.failed"]);
    expect((await createRefund(shop.ctx, { reference: link.reference })).id).not.toBe(refund.id);
    await expectInvariantsToHold();
  });

  test.each([
    ["1111", "paid"],
    ["2222", "failed"],
  ] as const)(
    "to an account that ends in %s is processing and then %s, by the bank's notice, and holds its money meanwhile",
    async (ending, end) => {
      const shop = await aShop();
      const link = await aPaidLink(shop, { senderAccount: `012345${ending}` });
      const refund = await createRefund(shop.ctx, { reference: link.reference, amount: naira(2_000) });
      expect(refund.status).toBe("processing");
      expect(await walletOf(shop.merchant.id)).toEqual({ balance: kobo(PRICE), held: kobo(2_000) });
      expect(await sumsOf(link)).toEqual({ refunded: 0n, refunding: kobo(2_000) });
      await refundThatIs(end, refund);
      expect(await walletOf(shop.merchant.id)).toEqual({ balance: end === "paid" ? kobo(3_000) : kobo(PRICE), held: 0n });
      expect(await refundOrdersAt(shop)).toBe(1);
      await expectInvariantsToHold();
    },
  );

  test("that comes back gives the money back once, with an event and an alert, and can be refunded again", async () => {
    const shop = await aShop();
    const link = await aPaidLink(shop, { senderAccount: "0123455555" });
    const refund = await createRefund(shop.ctx, { reference: link.reference });
    expect(refund.status).toBe("paid");
    await until(
      async () => (await sql()`select from sandbox.refunds where reference = ${refund.reference} and state = 'reversed'`).length === 1,
    );
    await Promise.all(times(5, () => receiveHintOfRefunds(system, "sandbox", link.reference)));
    await refundThatIs("reversed", refund);
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: kobo(PRICE), held: 0n });
    expect(await sumsOf(link)).toEqual({ refunded: 0n, refunding: 0n });
    expect(await eventTypesOf(shop)).toEqual(["checkout.success", "checkout.refund_paid", "checkout.refund_reversed"]);
    expect(await alertsOf(shop)).toEqual(["refund.reversed"]);
    await createRefund(shop.ctx, { reference: link.reference });
    await expectInvariantsToHold();
  });

  test.each(["hang_after", "error_after", "nonsense", "unknown_word"] as const)(
    "whose answer is lost (%s) is never ordered again, and the worker reads that it was paid",
    async (fault) => {
      const shop = await aShop();
      const link = await aPaidLink(shop);
      await orderPayoutFault("sandbox", "refund", fault, link.transfers[0]?.sessionId);
      const refund = await createRefund(shop.ctx, { reference: link.reference });
      expect(refund.status).toBe("processing");
      await makeRefundDue(refund);
      await Promise.all(times(5, () => resolveDueRefunds(system)));
      expect((await refundNow(refund)).status).toBe("paid");
      expect(await refundOrdersAt(shop)).toBe(1);
      await expectInvariantsToHold();
    },
    20_000,
  );

  test("that never reached its bank gives the money back once, not before the bank would know it, and operators are told", async () => {
    const shop = await aShop();
    const link = await aPaidLink(shop);
    await orderPayoutFault("sandbox", "refund", "error_before", link.transfers[0]?.sessionId);
    const refund = await createRefund(shop.ctx, { reference: link.reference });
    await makeRefundDue(refund);
    await resolveDueRefunds(system);
    expect((await refundNow(refund)).status).toBe("processing");
    await letRefundAge(refund);
    await Promise.all(times(5, () => resolveDueRefunds(system)));
    expect(await refundNow(refund)).toMatchObject({ status: "failed", failureReason: "The bank never received it." });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: kobo(PRICE), held: 0n });
    expect(await refundOrdersAt(shop)).toBe(0);
    expect(await sql()`select from alerts where type = 'refund.needs_operator' and resource_id = ${refund.id}`).toHaveLength(1);
    await expectInvariantsToHold();
  });

  test("is settled once by twenty answers at once, and by none of an earlier lease", async () => {
    const shop = await aShop();
    const { refund } = await aProcessingRefund(shop);
    const { fencingToken } = await refundNow(refund);
    expect(await settleRefund(refund, FAILED, fencingToken - 1)).toBe(false);
    await Promise.all(times(20, () => settleRefund(refund, PAID, fencingToken)));
    expect((await refundNow(refund)).status).toBe("paid");
    expect((await eventTypesOf(shop)).filter((type) => type.includes("refund"))).toEqual(["checkout.refund_paid"]);
    await expectInvariantsToHold();
  });

  test("that the bank paid after it had failed here is taken from the wallet, and the merchant owes the rest, also where that is more than came", async () => {
    const shop = await aShop();
    const { link, refund } = await aProcessingRefund(shop, PRICE);
    const { fencingToken } = await refundNow(refund);
    await settleRefund(refund, FAILED, fencingToken);
    const again = await createRefund(shop.ctx, { reference: link.reference });
    await settleRefund(again, PAID, (await refundNow(again)).fencingToken);
    await Promise.all(times(5, () => settleRefund(refund, PAID, fencingToken)));
    expect(await refundNow(refund)).toMatchObject({ status: "paid", isLate: true, failureReason: null });
    expect(await sumsOf(link)).toEqual({ refunded: 2n * kobo(PRICE), refunding: 0n });
    const [debt] = await sql()`
      select posted_debits - posted_credits as owed from ledger_accounts where merchant_id = ${shop.merchant.id} and account = 'receivable:merchant'`;
    expect(debt?.owed).toBe(kobo(PRICE));
    expect(await operatorAlertsAbout(refund.id)).toEqual(["refund.late"]);
    await expect(createRefund(shop.ctx, { reference: link.reference })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await expectInvariantsToHold();
  });

  test.each([
    ["came back and is said to be paid", [PAID, REVERSED], PAID, "reversed"],
    ["was paid and is said to have failed", [PAID], FAILED, "paid"],
  ] as const)("that %s moves nothing, and operators are told once", async (_, before, said, status) => {
    const shop = await aShop();
    const { refund } = await aProcessingRefund(shop);
    const { fencingToken } = await refundNow(refund);
    for (const outcome of before) await settleRefund(refund, outcome, fencingToken);
    for (const _time of [1, 2]) expect(await settleRefund(refund, said, fencingToken)).toBe(false);
    expect((await refundNow(refund)).status).toBe(status);
    expect(await operatorAlertsAbout(refund.id)).toEqual(["refund.contradicted"]);
    await expectInvariantsToHold();
  });

  test("whose undecided day is over alerts merchant and operators once a day", async () => {
    const shop = await aShop();
    const { refund } = await aProcessingRefund(shop);
    await sql()`update refunds set ordered_at = ordered_at - interval '25 hours' where id = ${refund.id} and merchant_id = ${shop.merchant.id}`;
    await alertOnUndecidedRefunds(system);
    await alertOnUndecidedRefunds(system);
    expect(await alertsOf(shop)).toEqual(["refund.undecided"]);
    expect(await operatorAlertsAbout(refund.id)).toEqual(["refund.undecided"]);
    expect((await listStuckRefunds(anOperator, 1)).map(({ id }) => id)).toContain(refund.id);
  });
});

describe("a refund is refused", () => {
  const refusal = (code: string, text: string) => ({ code, message: expect.stringContaining(text) });

  test("of a link that is unknown, another merchant's, unpaid or recalled, and of money that its bank sent back by itself", async () => {
    const [shop, other] = [await aShop(), await aShop()];
    const refund = (reference: string) => createRefund(shop.ctx, { reference });
    await expect(refund("NOPE")).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
    await expect(refund((await aPaidLink(other)).reference)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
    const unpaid = await aLink(shop);
    await receiveTransfer("sandbox", noticeOf(unpaid, { amount: naira(4_000), returnedBecause: "underpaid" }));
    await expect(refund(unpaid.reference)).rejects.toMatchObject(refusal("VALIDATION_ERROR", "was not paid"));
    const paid = await aPaidLink(shop);
    const [transfer] = paid.transfers;
    await receiveTransfer(
      "sandbox",
      noticeOf(paid, { sessionId: transfer?.sessionId ?? "", receivedAt: transfer?.receivedAt ?? new Date(), returnedBecause: "recalled" }),
    );
    await expect(refund(paid.reference)).rejects.toMatchObject(refusal("VALIDATION_ERROR", "taken this payment back"));
    expect(await refundOrdersAt(shop)).toBe(0);
    await expectInvariantsToHold();
  });

  test("that the wallet does not cover, because the money was spent", async () => {
    const shop = await aShop();
    const link = await aPaidLink(shop);
    await createPayout(shop.ctx, { bankAccountId: await aBankAccount(shop), amount: naira(4_000) });
    await expect(createRefund(shop.ctx, { reference: link.reference })).rejects.toMatchObject({ code: "INSUFFICIENT_BALANCE" });
    expect(await sumsOf(link)).toEqual({ refunded: 0n, refunding: 0n });
    await expectInvariantsToHold();
  });

  test("above the limits of payouts, which refunds and payouts of a day share", async () => {
    const shop = await aShop();
    await setPayoutLimits(anOperator, shop.merchant, { maxAmount: naira(4_000), maxADay: naira(5_000), delayMs: 0 });
    const link = await aPaidLink(shop);
    await expect(createRefund(shop.ctx, { reference: link.reference })).rejects.toMatchObject(
      refusal("LIMIT_EXCEEDED", "One refund is at most ₦4,000.00"),
    );
    await createRefund(shop.ctx, { reference: link.reference, amount: naira(3_000) });
    await aPaidLink(shop);
    const bankAccountId = await aBankAccount(shop);
    await expect(createPayout(shop.ctx, { bankAccountId, amount: naira(2_500) })).rejects.toMatchObject(
      refusal("LIMIT_EXCEEDED", "₦3,000.00 is sent today"),
    );
    await createPayout(shop.ctx, { bankAccountId, amount: naira(2_000) });
    await expect(createRefund(shop.ctx, { reference: link.reference, amount: naira(1) })).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    await expectInvariantsToHold();
  });

  test("while the merchant is suspended", async () => {
    const shop = await aShop();
    const link = await aPaidLink(shop);
    await sql()`update merchants set status = 'suspended' where id = ${shop.merchant.id}`;
    await expect(createRefund(shop.ctx, { reference: link.reference })).rejects.toMatchObject({ code: "MERCHANT_SUSPENDED" });
  });
});

describe("a recall", () => {
  async function recall(link: Awaited<ReturnType<typeof aPaidLink>>) {
    const [transfer] = link.transfers;
    if (!transfer) throw new Error("nobody paid");
    const { sessionId, receivedAt } = transfer;
    await receiveTransfer("sandbox", noticeOf(link, { sessionId, receivedAt, returnedBecause: "recalled" }));
  }

  test.each(["after", "during"] as const)("%s a refund takes the whole payment again, and what the wallet lacks is owed", async (when) => {
    const shop = await aShop();
    const link = await aPaidLink(shop, { senderAccount: when === "during" ? "0123451111" : "0123454417" });
    const refund = await createRefund(shop.ctx, { reference: link.reference, amount: naira(2_000) });
    await recall(link);
    if (when === "during") await refundThatIs("paid", refund);
    const [debt] = await sql()`
      select posted_debits - posted_credits as owed from ledger_accounts where merchant_id = ${shop.merchant.id} and account = 'receivable:merchant'`;
    expect(debt?.owed).toBe(kobo(2_000));
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 0n, held: 0n });
    expect(await sumsOf(link)).toEqual({ refunded: kobo(2_000), refunding: 0n });
    await expectInvariantsToHold();
  });

  test("and a refund at once leave sound books, whichever is first", async () => {
    const shop = await aShop();
    const links = await Promise.all(times(6, () => aPaidLink(shop)));
    await Promise.allSettled(links.flatMap((link) => [createRefund(shop.ctx, { reference: link.reference }), recall(link)]));
    for (const link of links) expect((await linkNow(link)).recalledAt).not.toBeNull();
    await expectInvariantsToHold();
  });
});

describe("an operator", () => {
  const said = (outcome: "paid" | "failed" | "reversed", was: "processing" | "paid" | "failed" | "reversed" = "processing") => ({
    ...{ outcome, was, evidence: "ticket 12", reason: "The bank wrote" },
  });

  test("settles a refund once that its bank never decides, back and forth, with notes in the audit", async () => {
    const shop = await aShop();
    const { link, refund } = await aProcessingRefund(shop);
    const answers = await Promise.allSettled(
      times(5, () => decidedByTwo((by) => settleRefundByOperator(by, refund.reference, said("paid")))),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await decidedByTwo((by) => settleRefundByOperator(by, refund.id, said("reversed", "paid")));
    expect(await sumsOf(link)).toEqual({ refunded: 0n, refunding: 0n });
    await decidedByTwo((by) => settleRefundByOperator(by, refund.id, said("paid", "reversed")));
    expect(await refundNow(refund)).toMatchObject({ status: "paid", corrections: 1 });
    expect(await sumsOf(link)).toEqual({ refunded: kobo(2_000), refunding: 0n });
    const notes = await sql()`select action from audit_entries where subject = ${refund.id}`;
    expect(notes.map(({ action }) => action)).toEqual(["refund.settled", "refund.settled", "refund.settled"]);
    await expectInvariantsToHold();
  });

  test("who has seen another state, or says what cannot follow, is refused", async () => {
    const shop = await aShop();
    const { refund } = await aProcessingRefund(shop);
    for (const word of [said("paid", "failed"), said("reversed"), { ...said("paid"), evidence: " " }, { ...said("paid"), reason: " " }])
      await expect(decidedByTwo((by) => settleRefundByOperator(by, refund.id, word))).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await decidedByTwo((by) => settleRefundByOperator(by, "rfd_unknown", said("paid")))).toBe(false);
    expect((await refundNow(refund)).status).toBe("processing");
  });
});

describe("the books tell of a refund", () => {
  test.each([
    ["whose amount has changed", "update refunds set amount = amount + 1 where id = $1"],
    [
      "that the link does not count",
      "update payment_links set refunded_amount = refunded_amount - 1 where id = (select link_id from refunds where id = $1)",
    ],
    ["of another transfer", "update refunds set transfer_session_id = 'x' where id = $1"],
    ["whose capture is gone", "delete from ledger_transfers where key = $1 || ':capture'"],
    ["whose event is gone", "delete from events where data->>'id' = $1"],
    ["that is late and was captured", "update refunds set is_late = true where id = $1"],
    ["that stands as failed", "update refunds set status = 'failed', failure_reason = 'x', paid_at = null, ended_at = now() where id = $1"],
  ])("%s", async (_what, statement) => {
    const shop = await aShop();
    const refund = await createRefund(shop.ctx, { reference: (await aPaidLink(shop)).reference });
    expect(await brokenAfter(statement, [refund.id])).not.toEqual([]);
  });
});

test("a link lists its own refunds only, the newest first", async () => {
  const shop = await aShop();
  const [link, other] = [await aPaidLink(shop), await aPaidLink(shop)];
  const made = [];
  for (const amount of [100, 200, 300]) made.push((await createRefund(shop.ctx, { reference: link.reference, amount: naira(amount) })).id);
  await createRefund(shop.ctx, { reference: other.reference });
  expect((await listRefundsOfLink(shop.ctx, link.id, 10)).map(({ id }) => id)).toEqual(made.toReversed());
  expect(await endExpiredRefunds(system)).toBe(0);
});
