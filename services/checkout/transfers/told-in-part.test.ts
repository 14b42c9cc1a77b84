import { beforeEach, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { systemContext } from "../../context.ts";
import { aMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { accountBalance, aLink, anExpiredLink, eventTypesOf, hear, noticeOf, walletOf } from "../checkout.fixture.ts";
import { getLinkByReference } from "../links/read-links.ts";
import type { PaymentLink } from "../payment-link.ts";
import { takeNotice } from "./take-notice.ts";

withDatabase();
withApp();

const ctx = systemContext("test");
let shop: TestMerchant;
let link: PaymentLink;
beforeEach(async () => {
  shop = await aMerchant();
  link = await aLink(shop);
});

const now = ({ reference }: PaymentLink) => getLinkByReference(shop.ctx, reference);
const alertsOf = (merchantId: string) =>
  sql()<{ type: string; message: string }[]>`select type, message from alerts where merchant_id = ${merchantId} order by id`;
const whyQuarantined = async (noticeId: string) => {
  const [row] = await sql()<
    { why: string | null }[]
  >`select quarantined_because as why from provider_notices where notice_id = ${noticeId}`;
  return row?.why;
};

describe("money that a bank sends back", () => {
  test("without its amount is no transfer and no event, and its merchant is told once, however often the bank says it", async () => {
    const untold = { ...noticeOf(link), amount: null, receivedAt: null, returnedBecause: "other" as const };
    await Promise.all(times(5, (n) => takeNotice(ctx, "sandbox", { ...untold, noticeId: `${untold.noticeId}-${n}` })));
    expect(await now(link)).toMatchObject({ status: "pending", transfers: [] });
    expect(await alertsOf(shop.merchant.id)).toMatchObject([
      { type: "checkout.return_untold", message: expect.stringContaining("does not say how much") },
    ]);
    expect(await eventTypesOf(shop)).toEqual([]);
    await hear(noticeOf(link));
    expect(await walletOf(shop)).toEqual(naira(5_000));
    await expectInvariantsToHold();
  });

  test("without its amount, at an account that is not known, moves nothing and stops nothing", async () => {
    const stray = { ...noticeOf(link), accountReference: "unknown", amount: null, returnedBecause: "other" as const };
    await takeNotice(ctx, "sandbox", stray);
    expect(await sql()`select from provider_notices where notice_id = ${stray.noticeId} and processed_at is not null`).toHaveLength(1);
  });

  test("without its amount, after it was told with its amount, is the same transfer: recalled from the wallet, or out of suspense", async () => {
    const [paid, wrong] = [noticeOf(link), noticeOf(link, { amount: naira(1_234) })];
    await hear(paid);
    await hear(wrong);
    expect(await accountBalance(shop.merchant.id, "suspense")).toBe(naira(1_234).minor);
    for (const told of [paid, wrong]) {
      const untold = { ...told, amount: null, noticeId: `${told.noticeId}-again`, returnedBecause: "recalled" as const };
      await Promise.all(times(3, () => takeNotice(ctx, "sandbox", untold)));
    }
    expect((await now(link)).transfers.map(({ disposition, sentBack }) => `${disposition} ${sentBack}`).toSorted()).toEqual([
      "recalled false",
      "returned true",
    ]);
    expect(await walletOf(shop)).toEqual(naira(0));
    expect(await accountBalance(shop.merchant.id, "suspense")).toBe(0n);
    expect((await alertsOf(shop.merchant.id)).map(({ type }) => type)).not.toContain("checkout.return_untold");
    await expectInvariantsToHold();
  });

  test("without its time is shown with the time at which we heard of it, and told again contradicts nothing", async () => {
    const untimed = { ...noticeOf(link, { amount: naira(10) }), receivedAt: null, returnedBecause: "underpaid" as const };
    for (const noticeId of ["one", "two"]) await takeNotice(ctx, "sandbox", { ...untimed, noticeId });
    expect(await sql()`select from provider_notices where notice_id in ('one', 'two') and processed_at is not null`).toHaveLength(2);
    const { transfers } = await now(link);
    expect(transfers).toMatchObject([{ classification: "underpaid", disposition: "returned" }]);
    expect(Date.now() - (transfers[0]?.receivedAt.getTime() ?? 0)).toBeLessThan(60_000);
    expect(await sql()`select from alerts where type = 'bank_notice.contradicts' and message like ${`%${untimed.sessionId}%`}`).toEqual([]);
  });

  test("as late or a duplicate is a duplicate where the link is paid, and late where it is not", async () => {
    await hear(noticeOf(link, { returnedBecause: "late_or_duplicate" }));
    await hear(noticeOf(link));
    await hear(noticeOf(link, { returnedBecause: "late_or_duplicate" }));
    expect((await now(link)).transfers.map(({ classification, disposition }) => `${classification} ${disposition}`).toSorted()).toEqual([
      "duplicate returned",
      "exact accepted",
      "late returned",
    ]);
    expect(await walletOf(shop)).toEqual(naira(5_000));
    await expectInvariantsToHold();
  });

  test("for another reason, although it was exact, does not pay the link", async () => {
    await hear(noticeOf(link, { returnedBecause: "other" }));
    expect(await now(link)).toMatchObject({ status: "pending", transfers: [{ classification: "exact", disposition: "returned" }] });
    expect(await walletOf(shop)).toEqual(naira(0));
    await expectInvariantsToHold();
  });
});

describe("money that a bank keeps", () => {
  test.each([
    ["amount", { amount: null }],
    ["time", { receivedAt: null }],
  ])("and does not tell the %s of credits nothing, and operators are told", async (_, missing) => {
    const untold = { ...noticeOf(link), ...missing };
    await takeNotice(ctx, "sandbox", untold);
    expect(await whyQuarantined(untold.noticeId)).toContain("does not say how much it is or when it came");
    expect(await walletOf(shop)).toEqual(naira(0));
    expect((await now(link)).status).toBe("pending");
  });

  test("without an account number pays the link of its reference", async () => {
    const { link: expired, late } = await anExpiredLink(shop);
    await hear({ ...late, accountNumber: null });
    expect((await now(expired)).status).toBe("success");
    await expectInvariantsToHold();
  });

  test("at another number than that of its account credits no merchant, and waits in suspense", async () => {
    const before = await accountBalance("mer_platform_test", "suspense");
    await hear({ ...noticeOf(link), accountNumber: "9999999999" });
    expect(await walletOf(shop)).toEqual(naira(0));
    expect(await accountBalance("mer_platform_test", "suspense")).toBe(before + naira(5_000).minor);
    await expectInvariantsToHold();
  });
});

test("a number that a bank gives again leads to the link whose reference the bank names", async () => {
  const other = await aMerchant();
  const later = await aLink(other);
  await sql()`update one_time_accounts set account_number = ${link.accountNumber} where link_id = ${later.id}`;
  await hear({ ...noticeOf(later), accountNumber: link.accountNumber });
  expect([await walletOf(shop), await walletOf(other)]).toEqual([naira(0), naira(5_000)]);
  await hear(noticeOf(link));
  expect([await walletOf(shop), await walletOf(other)]).toEqual([naira(5_000), naira(5_000)]);
  await expectInvariantsToHold();
});
