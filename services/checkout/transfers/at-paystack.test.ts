import { beforeEach, describe, expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { withPaystack } from "#testing/providers/paystack/simulator.ts";
import type { SentNotice } from "#testing/providers/sent-notice.ts";
import { times, until } from "#testing/until.ts";
import { systemContext } from "../../context.ts";
import { aLiveMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { checkBanks } from "../bank-health.ts";
import { accountBalance, aLink, eventTypesOf, makeOverdue, walletOf } from "../checkout.fixture.ts";
import { expireLink } from "../links/expire-links.ts";
import { getLinkByReference } from "../links/read-links.ts";
import type { PaymentLink } from "../payment-link.ts";
import { alertsOf, expectPaidOnce, lastOf, postTo, readAgain } from "./live-links.fixture.ts";
import { returnOwedTransfers } from "./return-transfers.ts";

// Live mode, with the app, its notices over HTTP, and a simulated Paystack.
const paystack = withPaystack();
withDatabase();
const app = withApp();

const ctx = systemContext("test");
const KOBO = 500_000;
let shop: TestMerchant;
beforeEach(async () => {
  paystack.noticeUrl = `${app.url}/api/providers/paystack/notices`;
  shop = await aLiveMerchant({ bank: "paystack" });
});

const now = ({ reference }: PaymentLink) => getLinkByReference(shop.ctx, reference);
const statusOf = async (link: PaymentLink) => (await now(link)).status;
const pay = ({ accountNumber }: PaymentLink, kobo = KOBO, copies = 1) => paystack.pay(accountNumber, kobo, { copies });
const post = (notice: SentNotice) => postTo(`${app.url}/api/providers/paystack/notices`, notice);
const lastNotice = () => lastOf(paystack.notices);

describe("a link of live mode at Paystack", () => {
  test("is paid by exact money, whose notice comes twenty times at once and once more", async () => {
    const link = await aLink(shop);
    await pay(link, KOBO, 20);
    await post(lastNotice());
    await expectPaidOnce(shop, link);
    expect((await now(link)).transfers).toMatchObject([{ senderName: "CHIDI OKAFOR", senderAccountLast4: "4021", amount: naira(5_000) }]);
  });

  test("is paid after its end by money that came in time", async () => {
    const link = await aLink(shop);
    paystack.noticeUrl = null;
    await pay(link);
    // The transfer was made in a millisecond before this one.
    await sql()`update payment_links set created_at = created_at - interval '1 h', expires_at = now() + interval '2 ms' where id = ${link.id}`;
    await until(() => expireLink(link.merchantId, link.id));
    expect(await statusOf(link)).toBe("expired");
    await post(lastNotice());
    await expectPaidOnce(shop, link);
  });

  test("stays unpaid while a reading is behind, and is paid by the next", async () => {
    const link = await aLink(shop);
    paystack.noticeUrl = null;
    await pay(link);
    paystack.books.delayReadings(1);
    await readAgain(link);
    expect(await statusOf(link)).toBe("pending");
    await readAgain(link);
    await expectPaidOnce(shop, link);
  });

  test("is read again after a status that nobody has heard of", async () => {
    const link = await aLink(shop);
    paystack.noticeUrl = null;
    await pay(link);
    paystack.wire.failNext({ path: "/transaction", kind: "word" });
    await readAgain(link);
    expect(await statusOf(link)).toBe("pending");
    expect(await walletOf(shop)).toEqual(naira(0));
    await readAgain(link);
    await expectPaidOnce(shop, link);
  });

  test.each([
    ["under", KOBO - 1],
    ["over", KOBO + 1],
  ])("shows no transfer for an amount that is %s, tells the merchant, and is paid by the exact one after it", async (_, kobo) => {
    const link = await aLink(shop);
    await pay(link, kobo);
    await pay(link, kobo);
    expect(await now(link)).toMatchObject({ status: "pending", transfers: [] });
    expect(await alertsOf(shop.merchant.id)).toEqual(["checkout.return_untold"]);
    expect(await eventTypesOf(shop)).toEqual([]);
    await pay(link);
    await expectPaidOnce(shop, link);
  });

  test("says expired and shows no transfer for late money, which goes back without a word", async () => {
    const link = await aLink(shop);
    await makeOverdue(link);
    paystack.books.endTime(link.reference);
    await pay(link);
    await readAgain(link);
    expect(await now(link)).toMatchObject({ status: "expired", transfers: [] });
    expect(await walletOf(shop)).toEqual(naira(0));
    await expectInvariantsToHold();
  });

  test("credits once where a second payer sends the same amount", async () => {
    const link = await aLink(shop);
    await pay(link);
    await pay(link);
    await readAgain(link);
    await expectPaidOnce(shop, link);
  });

  test("has exact money sent back by one refund, if the link ended before its account, whatever the answers to the refund are", async () => {
    const link = await aLink(shop);
    await makeOverdue(link, 2_000);
    await expireLink(link.merchantId, link.id);
    await pay(link);
    expect(await now(link)).toMatchObject({
      status: "expired",
      transfers: [{ classification: "late", disposition: "returned", sentBack: false }],
    });
    expect(await accountBalance(shop.merchant.id, "suspense")).toBe(BigInt(KOBO));
    paystack.wire.requests.splice(0);
    for (const kind of ["lost", "html", "busy", "cut"] as const) {
      paystack.wire.failNext({ path: "/refund", kind });
      await sql()`update bank_transfers set next_return_at = now() - interval '1 s' where link_id = ${link.id}`;
      await returnOwedTransfers(ctx);
    }
    await until(async () => {
      await sql()`update bank_transfers set next_return_at = now() - interval '1 s' where link_id = ${link.id} and return_state = 'owed'`;
      await returnOwedTransfers(ctx);
      return (await now(link)).transfers[0]?.sentBack;
    });
    expect(paystack.wire.requests.filter((request) => request === "POST /refund")).toHaveLength(1);
    expect(await accountBalance(shop.merchant.id, "suspense")).toBe(0n);
    // The refund has reversed the transaction, and a reading says so.
    await readAgain(link);
    expect(await walletOf(shop)).toEqual(naira(0));
    expect((await eventTypesOf(shop)).filter((type) => type.includes("recalled"))).toEqual([]);
    await expectInvariantsToHold();
  });

  test("keeps its money while Paystack reverses it and decides otherwise", async () => {
    const link = await aLink(shop);
    await pay(link);
    paystack.books.setStatus(link.reference, "reversal pending");
    await readAgain(link);
    paystack.books.setStatus(link.reference, "success");
    await readAgain(link);
    await expectPaidOnce(shop, link);
  });

  test("is recalled where Paystack takes the money back, and a notice of before that comes again credits nothing", async () => {
    const link = await aLink(shop);
    await pay(link);
    paystack.books.reverse(link.reference);
    await readAgain(link);
    expect(await now(link)).toMatchObject({ status: "success", transfers: [{ disposition: "recalled" }] });
    await post(lastNotice());
    expect(await walletOf(shop)).toEqual(naira(0));
    await expectInvariantsToHold();
  });
});

describe("a notice at /api/providers/paystack/notices", () => {
  test("that is forged, changed, written again or signed with another key moves nothing and is answered 401", async () => {
    const link = await aLink(shop);
    paystack.noticeUrl = null;
    await pay(link);
    const { headers, body } = lastNotice();
    const forged: SentNotice[] = [
      { headers: { "content-type": "application/json" }, body },
      { headers, body: body.replace(String(KOBO), String(KOBO * 10)) },
      { headers, body: JSON.stringify(JSON.parse(body), null, 2) },
      { headers, body: `${body} ` },
      paystack.sign(body, "sk_test_0123456789abcdef"),
      { headers: { ...headers, "x-paystack-signature": (headers["x-paystack-signature"] ?? "").toUpperCase() }, body },
    ];
    for (const notice of forged) expect((await post(notice)).status).toBe(401);
    expect(await statusOf(link)).toBe("pending");
    expect(await walletOf(shop)).toEqual(naira(0));
  });

  test("about a reference of nobody goes to suspense once, and credits no merchant", async () => {
    const link = await aLink(shop);
    paystack.noticeUrl = null;
    await pay(link);
    const stray = paystack.sign(lastNotice().body.replace(link.reference, "SOMEONEELSES"));
    const before = await accountBalance("mer_platform_live", "suspense");
    await Promise.all(times(5, () => post(stray)));
    expect(await accountBalance("mer_platform_live", "suspense")).toBe(before + BigInt(KOBO));
    expect(await walletOf(shop)).toEqual(naira(0));
    // The same transaction under its own reference contradicts the earlier notice, and moves nothing.
    await post(lastNotice());
    expect(await walletOf(shop)).toEqual(naira(0));
    await expectInvariantsToHold();
  });

  test("about another event is acknowledged, and one that cannot be read is refused and alerts operators", async () => {
    expect((await post(paystack.sign('{"event":"subscription.create","data":{}}'))).status).toBe(200);
    const odd = { domain: "live", channel: "bank_transfer", currency: "NGN", amount: "a lot", reference: "X", id: 1, paid_at: null };
    expect((await post(paystack.sign(JSON.stringify({ event: "charge.success", data: odd })))).status).toBe(401);
    expect(await alertsOf("mer_platform_live")).toContain("notice.unreadable");
  });
});

test("the key of Paystack stands in no log", async () => {
  const link = await aLink(shop);
  await pay(link);
  paystack.wire.failNext({ path: "/balance", kind: "html" });
  await checkBanks(ctx);
  vi.restoreAllMocks();
  expect(await app.wholeLog()).not.toContain(paystack.secretKey);
});
