import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { withMonnify } from "#testing/providers/monnify/simulator.ts";
import type { SentNotice } from "#testing/providers/sent-notice.ts";
import { times, until } from "#testing/until.ts";
import { addToWallet } from "../../cards/cards.fixture.ts";
import { systemContext } from "../../context.ts";
import { aLiveMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { createPayout } from "../../payouts/index.ts";
import { aBankAccount, currentRow } from "../../payouts/payouts.fixture.ts";
import { accountBalance, aLink, eventTypesOf, makeOverdue, walletOf } from "../checkout.fixture.ts";
import { expireLink } from "../links/expire-links.ts";
import { getLinkByReference } from "../links/read-links.ts";
import type { PaymentLink } from "../payment-link.ts";
import { createRefund } from "../refunds/create-refund.ts";
import { letRefundAge, makeRefundDue, refundNow } from "../refunds/refunds.fixture.ts";
import { resolveDueRefunds } from "../refunds/resolve-refunds.ts";
import { alertsOf, expectPaidOnce, lastOf, postTo, readAgain } from "./live-links.fixture.ts";
import { returnOwedTransfers } from "./return-transfers.ts";

// Live mode, with the app, its notices over HTTP, and a simulated Monnify.
const monnify = withMonnify();
withDatabase();
const app = withApp();

const ctx = systemContext("test");
const KOBO = 500_000;
let shop: TestMerchant;
beforeEach(async () => {
  monnify.noticeUrl = `${app.url}/api/providers/monnify/notices`;
  shop = await aLiveMerchant({ bank: "monnify" });
});

const now = ({ reference }: PaymentLink) => getLinkByReference(shop.ctx, reference);
const statusOf = async (link: PaymentLink) => (await now(link)).status;
const pay = ({ accountNumber }: PaymentLink, kobo = KOBO, copies = 1) => monnify.pay(accountNumber, kobo, { copies });
const post = (notice: SentNotice) => postTo(`${app.url}/api/providers/monnify/notices`, notice);
const lastNotice = () => lastOf(monnify.notices);

/** Has owed transfers of a link sent back until its bank has done so. */
const sentBack = (link: PaymentLink) =>
  until(async () => {
    await sql()`update bank_transfers set next_return_at = now() - interval '1 s' where link_id = ${link.id} and return_state = 'owed'`;
    await returnOwedTransfers(ctx);
    return (await now(link)).transfers.every((transfer) => transfer.sentBack);
  });

describe("a link of live mode at Monnify", () => {
  test("leads to Monnify's page, and is paid once by exact money, whose notice comes twenty times at once and once more", async () => {
    const link = await aLink(shop);
    expect(link.checkoutUrl).toMatch(/^https:\/\/sdk\.monnify\.example/);
    await pay(link, KOBO, 20);
    await post(lastNotice());
    await expectPaidOnce(shop, link);
    expect((await now(link)).transfers).toMatchObject([{ senderName: "CHIDI OKAFOR", senderAccountLast4: "4021" }]);
  });

  test("shows wrong amounts that Monnify rejects as sent back, and is paid by the exact one after them", async () => {
    const link = await aLink(shop);
    await pay(link, KOBO - 1, 5);
    await pay(link, KOBO + 1);
    await post(lastNotice());
    const { transfers } = await now(link);
    expect(transfers).toMatchObject([
      { classification: "underpaid", disposition: "returned", sentBack: true },
      { classification: "overpaid", disposition: "returned", sentBack: true },
    ]);
    expect(await walletOf(shop)).toEqual(naira(0));
    await pay(link);
    await readAgain(link);
    expect(await walletOf(shop)).toEqual(naira(5_000));
    expect((await eventTypesOf(shop)).toSorted()).toEqual(["checkout.success", "checkout.transfer_rejected", "checkout.transfer_rejected"]);
    await expectInvariantsToHold();
  });

  test.each([
    ["underpaid", KOBO - 1],
    ["overpaid", KOBO + 1],
  ])("has %s money that Monnify keeps sent back by one refund, whatever the answers to it are", async (classification, kobo) => {
    monnify.books.keepWrongAmounts(true);
    onTestFinished(() => monnify.books.keepWrongAmounts(false));
    const link = await aLink(shop);
    const before = monnify.refunds.sum();
    await pay(link, kobo, 5);
    await readAgain(link);
    expect((await now(link)).transfers).toMatchObject([{ classification, disposition: "returned", sentBack: false }]);
    expect(await accountBalance(shop.merchant.id, "suspense")).toBe(BigInt(kobo));
    for (const kind of ["lost", "html", "busy", "cut"] as const) {
      monnify.wire.failNext({ path: "/api/v1/refunds", kind });
      await sql()`update bank_transfers set next_return_at = now() - interval '1 s' where link_id = ${link.id}`;
      await returnOwedTransfers(ctx);
    }
    await sentBack(link);
    expect(monnify.refunds.sum() - before).toBe(kobo);
    expect(await accountBalance(shop.merchant.id, "suspense")).toBe(0n);
    expect(await walletOf(shop)).toEqual(naira(0));
    await expectInvariantsToHold();
  });

  test("has exact money sent back that comes after its end, while its account is still open", async () => {
    const link = await aLink(shop);
    await makeOverdue(link, 2_000);
    await expireLink(link.merchantId, link.id);
    await pay(link);
    expect(await now(link)).toMatchObject({ status: "expired", transfers: [{ classification: "late", disposition: "returned" }] });
    await sentBack(link);
    expect(await walletOf(shop)).toEqual(naira(0));
    await expectInvariantsToHold();
  });

  test("says expired and shows no transfer where its account has ended too, and stays paid after a second payer", async () => {
    const [late, paid] = [await aLink(shop), await aLink(shop)];
    await makeOverdue(late);
    monnify.books.endTime(late.reference);
    await pay(late);
    await readAgain(late);
    expect(await now(late)).toMatchObject({ status: "expired", transfers: [] });
    await pay(paid);
    await pay(paid);
    await expectPaidOnce(shop, paid);
  });

  test("whose account was paid twice, or reversed, keeps its payment, and operators are told", async () => {
    const [twice, reversed] = [await aLink(shop), await aLink(shop)];
    await pay(twice);
    await pay(reversed);
    monnify.books.payAgain(twice.reference, KOBO);
    monnify.books.setStatus(reversed.reference, "REVERSED");
    for (const link of [twice, reversed]) {
      await readAgain(link);
      expect(await statusOf(link)).toBe("success");
      expect(await sql()`select from alerts where type = 'bank_account.unclear' and resource_id = ${link.id}`).toHaveLength(1);
    }
    await monnify.tell(monnify.books.noticeOf(twice.reference));
    expect(await walletOf(shop)).toEqual(naira(10_000));
    await expectInvariantsToHold();
  });

  test.each([true, false])("keeps nothing of a sum whose first part went back, where sources are told: %s", async (areTold) => {
    monnify.books.keepWrongAmounts(true);
    onTestFinished(() => {
      monnify.books.keepWrongAmounts(false);
      monnify.books.hideSources(false);
    });
    const link = await aLink(shop);
    await pay(link, 400_000);
    await sentBack(link);
    monnify.books.payAgain(link.reference, 100_000);
    monnify.books.hideSources(!areTold);
    await monnify.tell(monnify.books.noticeOf(link.reference));
    await readAgain(link);
    expect(await statusOf(link)).toBe("pending");
    expect(await walletOf(shop)).toEqual(naira(0));
    expect(await sql()`select from alerts where type = 'bank_account.unclear' and resource_id = ${link.id}`).toHaveLength(1);
    await expectInvariantsToHold();
  });

  test("whose second payment makes one sum with the first keeps the first, and operators are told", async () => {
    const link = await aLink(shop);
    await pay(link);
    const notice = JSON.parse(lastNotice().body);
    const [source] = notice.eventData.paymentSourceInformation;
    const sum = { amountPaid: 10_000, totalPayable: 10_000, paymentSourceInformation: { ...source, amountPaid: 10_000 } };
    await monnify.tell({ ...notice, eventData: { ...notice.eventData, ...sum } });
    await expectPaidOnce(shop, link);
    expect(await alertsOf("mer_platform_live")).toContain("bank_notice.contradicts");
  });

  test("is not made where Monnify adds a fee to the amount", async () => {
    monnify.books.addFee(5_000);
    onTestFinished(() => monnify.books.addFee(0));
    await expect(aLink(shop)).rejects.toMatchObject({ outcome: "not_executed" });
  });
});

describe("a notice at /api/providers/monnify/notices", () => {
  test("that is forged, changed, written again or signed with another key moves nothing and is answered 401", async () => {
    const link = await aLink(shop);
    monnify.noticeUrl = null;
    await pay(link);
    const { headers, body } = lastNotice();
    const forged: SentNotice[] = [
      { headers: { "content-type": "application/json" }, body },
      { headers, body: body.replace('"amountPaid":5000', '"amountPaid":50000') },
      { headers, body: JSON.stringify(JSON.parse(body), null, 2) },
      { headers, body: `${body} ` },
      monnify.sign(body, "the secret key of the sandbox"),
    ];
    expect(new Set(forged.map((notice) => notice.body)).size).toBe(4);
    for (const notice of forged) expect((await post(notice)).status).toBe(401);
    expect(await statusOf(link)).toBe("pending");
    expect(await walletOf(shop)).toEqual(naira(0));
  });

  test("about a reference of nobody goes to suspense once, and credits no merchant", async () => {
    const link = await aLink(shop);
    monnify.noticeUrl = null;
    await pay(link);
    const stray = monnify.sign(lastNotice().body.replaceAll(link.reference, "SOMEONEELSES"));
    const before = await accountBalance("mer_platform_live", "suspense");
    await Promise.all(times(5, () => post(stray)));
    expect(await accountBalance("mer_platform_live", "suspense")).toBe(before + BigInt(KOBO));
    expect(await walletOf(shop)).toEqual(naira(0));
    await expectInvariantsToHold();
  });

  test("about another event is acknowledged, and one that cannot be read is refused and alerts operators", async () => {
    expect((await post(monnify.sign('{"eventType":"SETTLEMENT","eventData":{}}'))).status).toBe(200);
    const odd = { paymentMethod: "ACCOUNT_TRANSFER", currency: "NGN", amountPaid: "a lot" };
    expect((await post(monnify.sign(JSON.stringify({ eventType: "SUCCESSFUL_TRANSACTION", eventData: odd })))).status).toBe(401);
    expect(await alertsOf("mer_platform_live")).toContain("notice.unreadable");
  });
});

describe("money out at Monnify", () => {
  test.each([
    ["COMPLETED", "paid", 3_000],
    ["FAILED", "failed", 5_000],
  ] as const)("a refund whose notice says %s is %s once Monnify is read", async (end, status, left) => {
    const link = await aLink(shop);
    await pay(link);
    const refund = await createRefund(shop.ctx, { reference: link.reference, amount: naira(2_000) });
    expect(refund).toMatchObject({ status: "processing", route: "bank" });
    await monnify.tell(monnify.refunds.finish(end), 5);
    expect((await refundNow(refund)).status).toBe(status);
    await readAgain(link);
    expect(await statusOf(link)).toBe("success");
    expect(await walletOf(shop)).toEqual(naira(left));
    await expectInvariantsToHold();
  });

  test("a refund that Monnify has taken and does not find later is not given back", async () => {
    const link = await aLink(shop);
    await pay(link);
    const { merchantId, id } = await createRefund(shop.ctx, { reference: link.reference, amount: naira(2_000) });
    const read = vi.spyOn(monnify.refunds, "read").mockReturnValue({
      status: 404,
      body: { requestSuccessful: false, responseMessage: "Refund not found", responseCode: "99" },
    });
    for (const _ of [1, 2]) await letRefundAge({ merchantId, id });
    await resolveDueRefunds(ctx);
    expect(read).toHaveBeenCalled();
    expect((await refundNow({ merchantId, id })).status).toBe("processing");
    read.mockRestore();
    await until(async () => {
      await makeRefundDue({ merchantId, id });
      await resolveDueRefunds(ctx);
      return (await refundNow({ merchantId, id })).status === "paid";
    });
    expect(await walletOf(shop)).toEqual(naira(3_000));
    await expectInvariantsToHold();
  });

  test("a payout is paid once, and comes back where Monnify's notice has it read", async () => {
    await addToWallet(shop, naira(10_000));
    const bankAccountId = await aBankAccount(shop);
    const payout = await createPayout(shop.ctx, { bankAccountId, amount: naira(4_000) });
    expect(payout.status).toBe("paid");
    await monnify.tell(monnify.payouts.finish(payout.reference, "REVERSED"), 5);
    expect((await currentRow({ merchantId: shop.merchant.id, id: payout.id })).status).toBe("reversed");
    expect(await walletOf(shop)).toEqual(naira(10_000));
    await expectInvariantsToHold();
  });
});

test("neither key nor token of Monnify stands in a log", async () => {
  const link = await aLink(shop);
  await pay(link);
  monnify.expireTokens();
  monnify.wire.failNext({ path: "/api/v1/auth/login", kind: "html" });
  await readAgain(link);
  const logged = await app.wholeLog();
  for (const secret of [monnify.secretKey, `token-${monnify.logins}`, Buffer.from(monnify.apiKey).toString("base64").slice(0, 20)])
    expect(logged).not.toContain(secret);
});
