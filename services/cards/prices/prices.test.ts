import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { dollars, money } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";
import { decidedByTwo } from "../../approved.fixture.ts";
import { accountBalance } from "../../checkout/checkout.fixture.ts";
import { setRate } from "../../exchange/index.ts";
import { feeOf } from "../../fee-rule.ts";
import { getWallet } from "../../ledger/index.ts";
import { anOperator, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { aCard, aCardMerchant, orderFault, readTestCard, type TestCard } from "../cards.fixture.ts";
import { changeCard } from "../operations/freeze-and-terminate.ts";
import { fundCard, unloadCard } from "../operations/fund-and-unload.ts";
import { issueCard } from "../operations/issue-card.ts";
import { countEvents, expectBooksToAgree, koboIn } from "../spend/books.fixture.ts";
import { FUND_RATE, fundingCost, RATE_SCALE, shortfallCost, unloadWorth } from "./prices.fixture.ts";
import { setFeeRule } from "./set-fee-rule.ts";

withDatabase();
withApp();
withCardSweeps();

let shop: TestMerchant;
let card: TestCard;

const fund = (amount: number, maxExchangeRate: bigint | undefined = undefined) =>
  fundCard(shop.ctx, card.id, { amount: dollars(amount), maxExchangeRate });
const unload = (amount: number) => unloadCard(shop.ctx, card.id, { amount: dollars(amount) });

/** `cents` US cents in kobo, a fraction of a kobo rounded down or up. `rate` in ten-thousandths. */
const koboDown = (cents: bigint, rate: bigint) => (cents * rate) / RATE_SCALE;
const koboUp = (cents: bigint, rate: bigint) => (cents * rate + RATE_SCALE - 1n) / RATE_SCALE;

beforeEach(async () => {
  shop = await aCardMerchant();
  card = await aCard(shop);
});

test("a merchant with prices of its own pays those, and every rounding favours the platform", async () => {
  const [buy, mid, sell] = [14_999_999n, 15_500_001n, 16_000_001n];
  await decidedByTwo((by) => setRate(by, shop.merchant.id, { buy, mid, sell, validForHours: 1 }));
  await setFeeRule(anOperator, shop.merchant.id, "fund", { flat: 1n, bps: 33, minimum: 5n, maximum: 90n });
  const before = await koboIn(shop);
  // 1 cent and 0.33% of 1,001 cents, which are 3.3033 cents.
  const fee = 1n + 4n;
  const charged = 1_001n + fee;
  // 1,006 cents × 1,600.0001 = 1,609,600.1006 kobo.
  const cost = koboUp(charged, sell);
  expect(await fund(10.01)).toMatchObject({
    status: "completed",
    fee: money(fee, "USD"),
    exchangeRate: sell,
    walletAmount: money(cost, "NGN"),
  });
  expect(await koboIn(shop)).toBe(before - cost);
  // 333 cents × 1,499.9999 = 499,499.9667 kobo.
  const worth = koboDown(333n, buy);
  expect(await unload(3.33)).toMatchObject({ status: "completed", walletAmount: money(worth, "NGN") });
  expect(await koboIn(shop)).toBe(before - cost + worth);
  const spread = cost - koboDown(charged, mid) + (koboDown(333n, mid) - worth);
  expect(await accountBalance(shop.merchant.id, "revenue:spread")).toBe(spread);
  expect(await accountBalance(shop.merchant.id, "revenue:fees")).toBe(fee);
  await expectBooksToAgree(shop);
});

test("a funding above the merchant's highest rate is refused, and one at exactly that rate is taken", async () => {
  const before = await getWallet(shop.ctx);
  const rate = FUND_RATE * RATE_SCALE;
  await expect(fund(10, rate - 1n)).rejects.toMatchObject({ code: "PRICE_CHANGED", outcome: "not_executed" });
  expect(await getWallet(shop.ctx)).toEqual(before);
  expect((await fund(10, rate)).status).toBe("completed");
});

test("an expired rate of a merchant is replaced by the platform's, and without a valid rate only a termination moves money", async () => {
  await decidedByTwo((by) => setRate(by, shop.merchant.id, { buy: 1n, mid: 2n, sell: 3n, validForHours: 1 }));
  await sql()`update exchange_rates set valid_from = now() - interval '2 h', valid_until = now() - interval '1 s' where merchant_id = ${shop.merchant.id}`;
  expect((await fund(10)).exchangeRate).toBe(FUND_RATE * RATE_SCALE);
  await sql()`update exchange_rates set valid_until = now() - interval '1 s' where merchant_id = 'mer_platform_test'`;
  try {
    await expect(fund(10)).rejects.toMatchObject({ code: "PROVIDER_UNAVAILABLE" });
    await expect(unload(1)).rejects.toMatchObject({ code: "PROVIDER_UNAVAILABLE" });
    // A termination uses the last rate, because it must always be possible.
    expect((await changeCard(shop.ctx, card.id, "terminate")).card.status).toBe("TERMINATED");
  } finally {
    await sql()`update exchange_rates set valid_until = '2100-01-01' where merchant_id = 'mer_platform_test'`;
  }
});

test("the fee of issuing is charged with the card, and released if the issuer refuses the card", async () => {
  const fee = dollars(2.5);
  await setFeeRule(anOperator, shop.merchant.id, "issue", { flat: fee.minor, bps: 0, minimum: 0n, maximum: null });
  const before = await koboIn(shop);
  await aCard(shop);
  const after = before - fee.minor * FUND_RATE;
  expect(await koboIn(shop)).toBe(after);
  await orderFault("sandbox", "issue", "refuse");
  const { id } = await issueCard(shop.ctx, { cardholderId: card.cardholderId, brand: "VISA", nickname: null });
  expect((await readTestCard(shop, id)).status).toBe("FAILED");
  expect(await koboIn(shop)).toBe(after);
  expect(await countEvents(shop, "card.failed")).toBe(1);
  await expectBooksToAgree(shop);
});

test("a fee lies between its minimum and its maximum, and its fraction of a cent is rounded up", () => {
  const cents = fc.bigInt({ min: 0n, max: 10n ** 9n });
  fc.assert(
    fc.property(cents, fc.integer({ min: 0, max: 10_000 }), cents, cents, cents, (amount, bps, flat, minimum, above) => {
      const maximum = minimum + above;
      const fee = feeOf(money(amount, "USD"), { flat, bps, minimum, maximum }).minor;
      expect(fee >= minimum && fee <= maximum).toBe(true);
      const exact = (flat * 10_000n + amount * BigInt(bps)) as bigint;
      if (fee > minimum && fee < maximum) expect(fee * 10_000n - exact >= 0n && fee * 10_000n - exact < 10_000n).toBe(true);
    }),
  );
});

test("funding $30 costs ₦49,600, unloading $30 brings ₦45,000 and a shortfall of $5 costs ₦8,000 at the platform's prices", () => {
  // Written out, because every other test derives its figures from the same formulas.
  expect([fundingCost(30), unloadWorth(30), shortfallCost(5)].map(({ minor }) => minor)).toEqual([4_960_000n, 4_500_000n, 800_000n]);
});
