import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { dollars, money, naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";
import { isLockAwaited } from "#testing/locks.ts";
import { times, until } from "#testing/until.ts";
import { decidedByTwo } from "../../approved.fixture.ts";
import { setRate } from "../../exchange/index.ts";
import { getWallet } from "../../ledger/index.ts";
import { anOperator, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import type { CardOperation } from "../card-operation.ts";
import { blockCard } from "../cards/block-card.ts";
import { resolveBlock } from "../cards/resolve-block.ts";
import { aCard, aCardMerchant, type TestCard } from "../cards.fixture.ts";
import { changeCard } from "../operations/freeze-and-terminate.ts";
import { fundCard, unloadCard } from "../operations/fund-and-unload.ts";
import { expectBooksToAgree, koboIn } from "../spend/books.fixture.ts";
import { RATE_SCALE } from "./prices.fixture.ts";
import { quoteFunding, quoteUnload } from "./quote.ts";
import { setFeeRule } from "./set-fee-rule.ts";

withDatabase();
withApp();
withCardSweeps();

let shop: TestMerchant;
let card: TestCard;

beforeEach(async () => {
  shop = await aCardMerchant({ wallet: 100_000_000_000 });
  card = await aCard(shop);
});

/** Sets the merchant's own rate: `sell` Naira for a dollar that it pays, and half of that for a dollar that it gets. */
async function setSell(sell: bigint): Promise<void> {
  const scaled = sell * RATE_SCALE;
  await decidedByTwo((by) => setRate(by, shop.merchant.id, { buy: scaled / 2n, mid: scaled / 2n, sell: scaled, validForHours: 1 }));
}

/** Sets the merchant's own fee for a funding, in US cents. */
const setFee = (flat: bigint) => setFeeRule(anOperator, shop.merchant.id, "fund", { flat, bps: 0, minimum: 0n, maximum: null });

const refusedAt = (message: string) => ({
  code: "PRICE_CHANGED",
  outcome: "not_executed",
  message: expect.stringContaining(message),
});

/** Expects an action to be refused with the present price, and to leave the wallet and the card's operations as they were. */
async function expectRefused(act: () => Promise<unknown>, message: string): Promise<void> {
  const standing = async () => ({ wallet: await getWallet(shop.ctx), operations: await countOperations() });
  const before = await standing();
  await expect(act()).rejects.toMatchObject(refusedAt(message));
  expect(await standing()).toEqual(before);
}

async function countOperations(): Promise<number> {
  const [row] = await sql()<{ count: number }[]>`
    select count(*)::int as count from card_operations where merchant_id = ${shop.merchant.id} and type in ('fund', 'unload')`;
  return row?.count ?? 0;
}

/** Naira for a dollar in ten-thousandths: `buy`, `mid` and `sell`, not yet in order. */
const rates = fc.array(fc.bigInt({ min: 1n, max: 50_000_000n }), { minLength: 3, maxLength: 3 });
const feeRules = fc.record({
  flat: fc.bigInt({ min: 0n, max: 5_000n }),
  bps: fc.integer({ min: 0, max: 10_000 }),
  minimum: fc.bigInt({ min: 0n, max: 5_000n }),
});

test("at every amount, rate and fee, a quote equals the charge or credit to the kobo, and as a limit it is accepted exactly", async () => {
  const cents = fc.bigInt({ min: 100n, max: 1_000_000n });
  await fc.assert(
    fc.asyncProperty(cents, cents, rates, feeRules, async (funded, part, unsorted, rule) => {
      const [buy = 0n, mid = 0n, sell = 0n] = unsorted.toSorted((a, b) => Number(a - b));
      await decidedByTwo((by) => setRate(by, shop.merchant.id, { buy, mid, sell, validForHours: 1 }));
      await setFeeRule(anOperator, shop.merchant.id, "fund", { ...rule, maximum: rule.minimum + 100_000n });
      let before = await koboIn(shop);

      const amount = money(funded, "USD");
      const { validUntil: _, midRate: __, total, ...price } = await quoteFunding(shop.ctx, card.id, amount);
      expect(total.minor).toBe(price.amount.minor + price.fee.minor);
      const max = price.walletAmount;
      await expectRefused(
        () => fundCard(shop.ctx, card.id, { amount, maxWalletAmount: money(max.minor - 1n, "NGN") }),
        "max_wallet_amount",
      );
      const limits = { maxExchangeRate: price.exchangeRate, maxWalletAmount: max };
      expect(await fundCard(shop.ctx, card.id, { amount, ...limits })).toMatchObject({ ...price, status: "completed" });
      expect(before - (await koboIn(shop))).toBe(max.minor);

      before = await koboIn(shop);
      const taken = money(1n + (part % funded), "USD");
      const { validUntil: _u, midRate: _m, total: _t, ...worth } = await quoteUnload(shop.ctx, card.id, taken);
      const tooHigh = { amount: taken, minExchangeRate: worth.exchangeRate + 1n };
      await expectRefused(() => unloadCard(shop.ctx, card.id, tooHigh), "min_exchange_rate");
      const unloaded = await unloadCard(shop.ctx, card.id, { amount: taken, minExchangeRate: worth.exchangeRate });
      expect(unloaded).toMatchObject({ ...worth, status: "completed" });
      expect((await koboIn(shop)) - before).toBe(worth.walletAmount.minor);
    }),
    { numRuns: 25 },
  );
  await expectBooksToAgree(shop);
});

test("a rate that rises after the quote refuses the funding with the new price, and one that falls charges less", async () => {
  await setSell(1_000n);
  await setFee(100n);
  const { walletAmount: maxWalletAmount, exchangeRate: maxExchangeRate } = await quoteFunding(shop.ctx, card.id, dollars(10));
  expect(maxWalletAmount).toEqual(naira(11_000));
  await setSell(1_002n);
  const atPresent = "₦11,022.00 now: $10.00 and a fee of $1.00, at 1002 Naira for a dollar";
  await expectRefused(() => fundCard(shop.ctx, card.id, { amount: dollars(10), maxWalletAmount }), atPresent);
  await expectRefused(() => fundCard(shop.ctx, card.id, { amount: dollars(10), maxExchangeRate }), atPresent);
  await setSell(998n);
  const funded = await fundCard(shop.ctx, card.id, { amount: dollars(10), maxWalletAmount, maxExchangeRate });
  expect(funded).toMatchObject({ status: "completed", walletAmount: naira(10_978) });
  await expectBooksToAgree(shop);
});

test("a fee that rises after the quote refuses the funding by max_wallet_amount, and a lower rate may pay for the fee", async () => {
  await setSell(1_000n);
  await setFee(100n);
  const { walletAmount: maxWalletAmount, exchangeRate: maxExchangeRate } = await quoteFunding(shop.ctx, card.id, dollars(10));
  await setFee(101n);
  const limits = { amount: dollars(10), maxWalletAmount, maxExchangeRate };
  await expectRefused(() => fundCard(shop.ctx, card.id, limits), "₦11,010.00 now: $10.00 and a fee of $1.01");
  await setSell(990n);
  expect(await fundCard(shop.ctx, card.id, limits)).toMatchObject({ fee: dollars(1.01), walletAmount: money(1_089_990n, "NGN") });
});

test("a rate that falls after the quote refuses the unload with the new price, before it looks at the balance; one that rises credits more", async () => {
  await setSell(2_000n);
  await fundCard(shop.ctx, card.id, { amount: dollars(10) });
  const { exchangeRate: minExchangeRate } = await quoteUnload(shop.ctx, card.id, dollars(5));
  await setSell(1_998n);
  const atPresent = "₦4,995.00 now, at 999 Naira for a dollar. The rate is below your min_exchange_rate";
  await expectRefused(() => unloadCard(shop.ctx, card.id, { amount: dollars(5), minExchangeRate }), atPresent);
  await expectRefused(() => unloadCard(shop.ctx, card.id, { amount: dollars(500), minExchangeRate }), "min_exchange_rate");
  await setSell(2_002n);
  expect(await unloadCard(shop.ctx, card.id, { amount: dollars(5), minExchangeRate })).toMatchObject({ walletAmount: naira(5_005) });
  await expectBooksToAgree(shop);
});

test("a fee that rises while a funding waits for its card refuses the funding", async () => {
  await setSell(1_000n);
  await setFee(100n);
  const { walletAmount: maxWalletAmount } = await quoteFunding(shop.ctx, card.id, dollars(10));
  const fundBehindALock = async () => {
    let funding: Promise<unknown> = Promise.resolve();
    await sql().begin(async (tx) => {
      await tx`select 1 from cards where merchant_id = ${shop.merchant.id} and id = ${card.id} for update`;
      funding = fundCard(shop.ctx, card.id, { amount: dollars(10), maxWalletAmount });
      funding.catch(() => undefined);
      await until(isLockAwaited);
      await setFee(101n);
      // A quote waits for no lock.
      expect((await quoteFunding(shop.ctx, card.id, dollars(10))).fee).toEqual(dollars(1.01));
    });
    return funding;
  };
  await expectRefused(fundBehindALock, "max_wallet_amount");
});

test("while rates and fees change all the time, no funding is charged more than its max_wallet_amount, and a refused one costs nothing", async () => {
  const cards = [card, await aCard(shop), await aCard(shop)];
  const [low, promised, high] = [999n, 1_000n, 1_001n];
  await setSell(promised);
  await setFee(100n);
  const { walletAmount: maxWalletAmount } = await quoteFunding(shop.ctx, card.id, dollars(10));
  const before = await koboIn(shop);
  let isRacing = true;
  const changes = (async () => {
    for (let i = 0; isRacing; i++) {
      await setSell([low, high, promised][i % 3] ?? promised);
      await setFee(i % 2 === 0 ? 101n : 100n);
    }
  })();
  const outcomes: PromiseSettledResult<CardOperation>[] = [];
  const fund = async (i: number) => {
    const funding = fundCard(shop.ctx, cards[i % cards.length]?.id ?? "", { amount: dollars(10), maxWalletAmount });
    outcomes.push(...(await Promise.allSettled([funding])));
  };
  // Each payer waits for its answer, so that fundings begin throughout the changes.
  await Promise.all(
    times(8, async (payer) => {
      for (let i = 0; i < 10; i++) await fund(payer + i);
    }),
  );
  isRacing = false;
  await changes;
  // At least one of each kind, whatever the race did.
  await setSell(high);
  await fund(0);
  await setSell(low);
  await fund(0);

  const refusals = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason.code] : []));
  expect(new Set(refusals)).toEqual(new Set(["PRICE_CHANGED"]));
  const charged = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value.walletAmount.minor] : []));
  expect(charged.filter((kobo) => kobo > maxWalletAmount.minor)).toEqual([]);
  expect(await countOperations()).toBe(charged.length);
  expect(before - (await koboIn(shop))).toBe(charged.reduce((sum, kobo) => sum + kobo, 0n));
  expect((await getWallet(shop.ctx)).held.minor).toBe(0n);
  await expectBooksToAgree(shop);
});

test("a quote reads no balance, and is refused in the same cases as its operation: by the card's status and without a valid rate", async () => {
  const poor = await aCardMerchant({ wallet: 0 });
  const theirs = await aCard(poor);
  const quotes = () => [quoteFunding(poor.ctx, theirs.id, dollars(10_000)), quoteUnload(poor.ctx, theirs.id, dollars(10_000))];
  const operations = () => [
    fundCard(poor.ctx, theirs.id, { amount: dollars(10_000) }),
    unloadCard(poor.ctx, theirs.id, { amount: dollars(10_000) }),
  ];
  const refusalsOf = async (promises: Promise<unknown>[]) =>
    (await Promise.allSettled(promises)).map((each) => (each.status === "rejected" ? each.reason.code : "none"));
  expect(await refusalsOf(quotes())).toEqual(["none", "none"]);
  const expectBoth = async (code: string) => {
    expect(await refusalsOf(operations())).toEqual([code, code]);
    expect(await refusalsOf(quotes())).toEqual([code, code]);
  };
  await sql()`update exchange_rates set valid_until = now() - interval '1 s' where merchant_id = 'mer_platform_test'`;
  try {
    await expectBoth("PROVIDER_UNAVAILABLE");
  } finally {
    await sql()`update exchange_rates set valid_until = '2100-01-01' where merchant_id = 'mer_platform_test'`;
  }
  await transaction((tx) => blockCard(tx, theirs, "The issuer contradicts itself."));
  await expectBoth("CARD_NOT_ACTIVE");
  await resolveBlock(anOperator, theirs.id, "The issuer wrote to us.");
  await changeCard(poor.ctx, theirs.id, "freeze");
  await expectBoth("CARD_FROZEN");
  await changeCard(poor.ctx, theirs.id, "terminate");
  await expectBoth("CARD_TERMINATED");
});
