import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { dollars, money, naira } from "#lib/money.ts";
import { HOUR_MS } from "#lib/time.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { accountBalance, eventTypesOf, walletOf } from "../checkout/checkout.fixture.ts";
import { systemContext } from "../context.ts";
import { setRate } from "../exchange/index.ts";
import { getWallet } from "../ledger/index.ts";
import { anOperator, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { issuers } from "../providers/index.ts";
import {
  aCard,
  aCardMerchant,
  ISSUERS,
  letTimePass,
  orderFault,
  readTestCard,
  settled,
  spendOf,
  spendSilently,
  type TestCard,
} from "./cards.fixture.ts";
import { carryOut, claimOperation } from "./carry-out.ts";
import { changeCard } from "./change-card.ts";
import { compareCards } from "./compare-cards.ts";
import { feeOf } from "./fees.ts";
import { issueCard } from "./issue-card.ts";
import { listCardTransactions } from "./list-transactions.ts";
import { fundCard, unloadCard } from "./move-money.ts";
import { recordTransaction } from "./record-transaction.ts";
import { findOperation } from "./rows.ts";
import { setFeeRule } from "./set-fee-rule.ts";
import { settleOperation } from "./settle-operation.ts";
import { simulateSpend } from "./simulate-spend.ts";
import { syncCard } from "./sync-cards.ts";
import { takeHint } from "./take-hint.ts";

withDatabase();
withApp();
withCardSweeps();

let shop: TestMerchant;
let card: TestCard;

const fund = (amount: number, maxExchangeRate: bigint | null = null) =>
  fundCard(shop.ctx, card.id, { amount: dollars(amount), maxExchangeRate });
const unload = (amount: number) => unloadCard(shop.ctx, card.id, dollars(amount));
const now = () => readTestCard(shop, card.id);
const spend = (changes: Parameters<typeof spendOf>[0]) => simulateSpend(shop.ctx, card.id, spendOf(changes));
const atItsTurn = { isTurn: true };
const codeOf = (error: unknown) => (error as { code?: string }).code;
const count = async (type: string) => (await eventTypesOf(shop)).filter((each) => each === type).length;
const atIssuer = async () => {
  const reading = await issuers.named(card.provider)?.readCard(card.providerReference ?? "");
  return reading?.status === "found" ? reading.found : undefined;
};

async function expectBooksToAgree(): Promise<void> {
  const { differences, unread } = await compareCards(systemContext("test"), shop.merchant.id);
  expect({ differences, unread }).toEqual({ differences: [], unread: 0 });
  await expectInvariantsToHold();
}

describe.each(ISSUERS)("at the issuer %s", (issuer) => {
  beforeEach(async () => {
    shop = await aCardMerchant({ issuer });
    card = await aCard(shop, { balance: 20 });
  });

  describe("a funding", () => {
    test("of which twenty at once exceed the wallet passes as often as the wallet covers it, and no more", async () => {
      shop = await aCardMerchant({ issuer, wallet: 7 * 17_600 + 17_599.99 });
      card = await aCard(shop);
      const results = await Promise.allSettled(times(20, () => fund(10)));
      const made = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
      const refused = results.flatMap((result) => (result.status === "rejected" ? [codeOf(result.reason)] : []));
      expect(made).toHaveLength(7);
      expect(refused).toEqual(Array(13).fill("INSUFFICIENT_BALANCE"));
      for (const operation of made) expect((await settled(operation)).status).toBe("completed");
      expect(await getWallet(shop.ctx)).toEqual({ balance: naira(17_599.99), available: naira(17_599.99), held: naira(0), owed: naira(0) });
      expect((await now()).balance).toEqual(dollars(70));
      await expectBooksToAgree();
    });

    test("that the issuer did and did not answer to is charged once, when the issuer has said so", async () => {
      await orderFault(issuer, "fund", "hang_after", card);
      const before = await getWallet(shop.ctx);
      const operation = await fund(30);
      expect(operation.status).toBe("processing");
      expect((await getWallet(shop.ctx)).balance.minor).toBeLessThanOrEqual(before.balance.minor);
      expect((await settled(operation)).status).toBe("completed");
      expect(await getWallet(shop.ctx)).toEqual({
        balance: money(before.balance.minor - 4_960_000n, "NGN"),
        available: money(before.balance.minor - 4_960_000n, "NGN"),
        held: naira(0),
        owed: naira(0),
      });
      expect((await atIssuer())?.balance).toEqual(dollars(50));
      expect(await count("card.funded")).toBe(2);
      await expectBooksToAgree();
    });

    test.each(["error_after", "nonsense"] as const)("to which the issuer answers with %s is charged once", async (fault) => {
      await orderFault(issuer, "fund", fault, card);
      const operation = await fund(30);
      expect(operation.status).toBe("processing");
      expect((await settled(operation)).status).toBe("completed");
      expect((await atIssuer())?.balance).toEqual(dollars(50));
      await expectBooksToAgree();
    });

    test("that never reached the issuer stays held until it would be known there, and is then given back, once", async () => {
      await orderFault(issuer, "fund", "hang_before", card);
      const before = await getWallet(shop.ctx);
      const operation = await fund(30);
      expect(operation.status).toBe("processing");
      expect((await getWallet(shop.ctx)).held).toEqual(naira(49_600));
      await letTimePass(operation);
      const after = await settled(operation);
      expect(after).toMatchObject({ status: "failed", failureReason: "The card issuer never received it." });
      expect(await getWallet(shop.ctx)).toEqual(before);
      expect((await atIssuer())?.balance).toEqual(dollars(20));
      await expectBooksToAgree();
    });

    test("that the issuer refuses has failed at once and costs nothing", async () => {
      await orderFault(issuer, "fund", "refuse", card);
      const before = await getWallet(shop.ctx);
      expect((await fund(30)).status).toBe("failed");
      expect(await getWallet(shop.ctx)).toEqual(before);
      expect(await count("card.funded")).toBe(1);
      await expectBooksToAgree();
    });

    test("that was claimed by a process which then slept too long is never handed to the issuer", async () => {
      const claimed = await transaction((tx) =>
        claimOperation(tx, { id: "cop_slept", merchantId: shop.merchant.id, cardId: card.id, type: "freeze" }),
      );
      expect((await carryOut(claimed, { card, elapsedMs: () => 10_000 })).status).toBe("processing");
      await letTimePass(claimed);
      expect((await settled(claimed)).failureReason).toBe("The card issuer never received it.");
      expect((await atIssuer())?.state).toBe("ACTIVE");
    });

    test("is settled once, however many hear of it at once", async () => {
      await orderFault(issuer, "fund", "error_before", card);
      const operation = await fund(30);
      const row = await findOperation(shop.merchant.id, operation.id);
      if (!row) throw new Error("gone");
      const done = { status: "completed", providerReference: "x", issued: null, taken: null } as const;
      await Promise.all(times(10, () => settleOperation(row, done, atItsTurn)));
      await settleOperation(row, { status: "failed", reason: "too late" }, atItsTurn);
      expect((await now()).balance).toEqual(dollars(50));
      expect(await count("card.funded")).toBe(2);
      await expectInvariantsToHold();
      // The issuer itself put nothing on the card in this test, and is told so.
      await sql()`update sandbox.cards set balance = 5000 where id = ${card.providerReference}`;
    });
  });

  describe("an unload", () => {
    test("of the whole balance twice at once takes it once", async () => {
      const before = await walletOf(shop);
      const results = await Promise.allSettled([unload(20), unload(20)]);
      const [made] = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
      expect(results.flatMap((result) => (result.status === "rejected" ? [codeOf(result.reason)] : []))).toEqual([
        "INSUFFICIENT_CARD_BALANCE",
      ]);
      if (!made) throw new Error("neither passed");
      expect((await settled(made)).status).toBe("completed");
      expect(await walletOf(shop)).toEqual(money(before.minor + 3_000_000n, "NGN"));
      expect((await now()).balance).toEqual(dollars(0));
      await expectBooksToAgree();
    });

    test("credits what the issuer confirmed, also where it is less", async () => {
      await orderFault(issuer, "unload", "error_before", card);
      const before = await walletOf(shop);
      const operation = await unload(10);
      const row = await findOperation(shop.merchant.id, operation.id);
      if (!row) throw new Error("gone");
      const taken = dollars(7.33);
      await settleOperation(row, { status: "completed", providerReference: "x", issued: null, taken }, atItsTurn);
      expect(await findOperation(shop.merchant.id, operation.id)).toMatchObject({
        status: "completed",
        amount: 733n,
        walletAmount: 1_099_500n,
      });
      expect(await walletOf(shop)).toEqual(money(before.minor + 1_099_500n, "NGN"));
      expect((await now()).balance).toEqual(dollars(12.67));
      await expectInvariantsToHold();
      // The issuer itself took nothing in this test, and is told so.
      await sql()`update sandbox.cards set balance = 1267 where id = ${card.providerReference}`;
    });

    test("that the issuer did and did not answer to is credited once", async () => {
      await orderFault(issuer, "unload", "error_after", card);
      const before = await walletOf(shop);
      const operation = await unload(20);
      expect((await now()).balance).toEqual(dollars(0));
      expect((await settled(operation)).status).toBe("completed");
      expect(await walletOf(shop)).toEqual(money(before.minor + 3_000_000n, "NGN"));
      await expectBooksToAgree();
    });
  });

  describe("a termination", () => {
    test("against five fundings at once leaves no money on the card and none between", async () => {
      const before = await getWallet(shop.ctx);
      const funds = times(5, () => fund(10));
      const termination = changeCard(shop.ctx, card.id, "terminate");
      const results = await Promise.allSettled(funds);
      await termination;
      const made = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
      for (const { code } of results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []))) {
        expect(["CARD_TERMINATED", "CARD_NOT_ACTIVE"]).toContain(code);
      }
      const completed = (await Promise.all(made.map(settled))).filter(({ status }) => status === "completed");
      const [row] = await sql()<{ id: string }[]>`select id from card_operations where card_id = ${card.id} and type = 'terminate'`;
      const ended = await settled({ merchantId: shop.merchant.id, id: row?.id ?? "" });
      expect(ended.amount).toBe(2_000n + BigInt(completed.length) * 1_000n);
      const expected = before.balance.minor - BigInt(completed.length) * 1_760_000n + ended.amount * 1_500n;
      expect(await getWallet(shop.ctx)).toMatchObject({
        balance: money(expected, "NGN"),
        available: money(expected, "NGN"),
        held: naira(0),
      });
      expect(await now()).toMatchObject({ status: "TERMINATED", balance: dollars(0) });
      await expectBooksToAgree();
    });

    test("asked for five times at once credits the wallet once, and goes on being answered", async () => {
      const before = await walletOf(shop);
      await Promise.all(times(5, () => changeCard(shop.ctx, card.id, "terminate")));
      const [row] = await sql()<
        { id: string }[]
      >`select id from card_operations where card_id = ${card.id} and type = 'terminate' and status <> 'failed'`;
      await settled({ merchantId: shop.merchant.id, id: row?.id ?? "" });
      expect(await changeCard(shop.ctx, card.id, "terminate")).toMatchObject({ isProcessing: false, card: { status: "TERMINATED" } });
      expect(await walletOf(shop)).toEqual(money(before.minor + 3_000_000n, "NGN"));
      expect(await count("card.terminated")).toBe(1);
      await expectBooksToAgree();
    });

    test("of an overdrawn card is paid by the wallet, and what it cannot pay is owed and taken from later credits", async () => {
      await spend({ type: "FEE", amount: dollars(120) });
      expect((await now()).balance).toEqual(money(-10_000n, "USD"));
      const { balance } = await getWallet(shop.ctx);
      const rest = naira(50_000);
      // All but ₦50,000 goes to another card.
      const other = card;
      card = await aCard(shop);
      const price = (balance.minor - rest.minor) / 1_600n;
      const amount = money((price * 100n) / 101n, "USD");
      await settled(await fundCard(shop.ctx, card.id, { amount, maxExchangeRate: null }));
      const left = await walletOf(shop);
      const rich = card;
      card = other;
      await changeCard(shop.ctx, card.id, "terminate");
      const [row] = await sql()<{ id: string }[]>`select id from card_operations where card_id = ${card.id} and type = 'terminate'`;
      await settled({ merchantId: shop.merchant.id, id: row?.id ?? "" });
      expect(await walletOf(shop)).toEqual(naira(0));
      const owed = 16_000_000n - left.minor;
      expect(await accountBalance(shop.merchant.id, "receivable:merchant")).toBe(owed);
      await settled(await unloadCard(shop.ctx, rich.id, dollars(5)));
      expect(await accountBalance(shop.merchant.id, "receivable:merchant")).toBe(owed - 750_000n);
      expect(await walletOf(shop)).toEqual(naira(0));
      await expectBooksToAgree();
    });
  });

  test("news that is told many times at once, and again later, is recorded once", async () => {
    const authorization = await spend({ amount: dollars(4) });
    await spend({ type: "CLEARING", amount: dollars(3), related_transaction_id: authorization.id });
    const hint = { reference: card.providerReference ?? "" };
    await Promise.all(times(10, () => takeHint(systemContext("test"), issuer, hint)));
    await takeHint(systemContext("test"), issuer, hint);
    await takeHint(systemContext("test"), issuer, { reference: "crd_of_nobody" });
    expect((await listCardTransactions(shop.ctx, card.id, { limit: 10 })).items).toHaveLength(2);
    expect(await count("card.transaction")).toBe(2);
    expect((await now()).balance).toEqual(dollars(16));
    await expectBooksToAgree();
  });

  describe("at the end of a card", () => {
    const terminate = async () => {
      const { isProcessing } = await changeCard(shop.ctx, card.id, "terminate");
      if (isProcessing) {
        const [row] = await sql()<{ id: string }[]>`select id from card_operations where card_id = ${card.id} and type = 'terminate'`;
        await settled({ merchantId: shop.merchant.id, id: row?.id ?? "" });
      }
    };
    /** The wallet once nothing more is on its way to it or from it. */
    const walletWhenQuiet = async () => {
      await until(async () => {
        // The balance is read after the rest: where the end comes between the two, it is that of an ended card, and the rest is not.
        const { status, nextSyncAt, balance } = await now();
        return status === "TERMINATED" && nextSyncAt && nextSyncAt.getTime() > Date.now() + HOUR_MS && balance.minor === 0n;
      });
      return (await walletOf(shop)).minor;
    };

    test("what was spent before it and is heard of after it is in what the issuer confirmed, and moves the wallet no second time", async () => {
      const before = (await walletOf(shop)).minor;
      await spendSilently(card, "REFUND", 500n);
      await spendSilently(card, "AUTHORIZATION", 800n);
      await terminate();
      // $20 and $5 back, less $8 that is authorized.
      expect(await walletWhenQuiet()).toBe(before + 1_700n * 1_500n);
      expect((await listCardTransactions(shop.ctx, card.id, { limit: 10 })).items).toHaveLength(2);
      await expectBooksToAgree();
    });

    /** The termination has no answer yet. The sweeps ask the issuer for it at once, or not before this test has said so. */
    const askAboutTheEnd = (when: "at once" | "later") => sql()`
      update card_operations set next_attempt_at = now() + ${when === "at once" ? 0 : 3_600} * interval '1 s'
      where merchant_id = ${shop.merchant.id} and card_id = ${card.id} and type = 'terminate' and status = 'processing'`;

    test("what comes after it while nobody knows of it yet goes to the wallet once it is known", async () => {
      const before = (await walletOf(shop)).minor;
      await orderFault(issuer, "close", "error_after", card);
      await changeCard(shop.ctx, card.id, "terminate");
      await askAboutTheEnd("later");
      await until(async () => (await atIssuer())?.state === "TERMINATED");
      await spendSilently(card, "REFUND", 300n);
      await askAboutTheEnd("at once");
      expect(await walletWhenQuiet()).toBe(before + 2_300n * 1_500n);
      await expectBooksToAgree();
    });

    test("what is recorded while it is not decided is passed on once it is", async () => {
      const before = (await walletOf(shop)).minor;
      await orderFault(issuer, "close", "error_after", card);
      await changeCard(shop.ctx, card.id, "terminate");
      await askAboutTheEnd("later");
      await until(async () => {
        const [closed] = await sql()`select 1 from sandbox.cards where id = ${card.providerReference} and state = 'closed'`;
        return closed;
      });
      const transactionReference = await spendSilently(card, "REFUND", 300n);
      const merchant = { name: "Shop", categoryCode: null, city: null, country: null };
      const refund = { type: "REFUND", amount: dollars(3), relatedReference: null, declineReason: null, occurredAt: new Date() } as const;
      await recordTransaction(card, { ...refund, transactionReference, merchant });
      await askAboutTheEnd("at once");
      expect(await walletWhenQuiet()).toBe(before + 2_300n * 1_500n);
      await expectBooksToAgree();
    });

    test("a list that was read before it settles nothing about it", async () => {
      const listing = issuers.named(issuer);
      if (!listing) throw new Error("no issuer");
      const { listTransactions } = listing;
      const before = (await walletOf(shop)).minor;
      await spendSilently(card, "REFUND", 700n);
      let isFirst = true;
      // Between the list and what is made of it, more comes to the card, and it ends.
      listing.listTransactions = async (...given) => {
        const listed = await listTransactions(...given);
        if (isFirst) {
          isFirst = false;
          await spendSilently(card, "REFUND", 500n);
          await terminate();
        }
        return listed;
      };
      try {
        await syncCard(card);
      } finally {
        listing.listTransactions = listTransactions;
      }
      expect(await walletWhenQuiet()).toBe(before + 3_200n * 1_500n);
      expect(
        await sql()`select 1 from ledger_transfers where merchant_id = ${shop.merchant.id} and meta->>'type' = 'card_charge'`,
      ).toHaveLength(0);
      await expectBooksToAgree();
    });

    test("refunds, authorizations and a termination at once come out right in whatever order they are told", async () => {
      const before = (await walletOf(shop)).minor;
      const spends = [
        spend({ type: "REFUND", amount: dollars(5) }),
        spend({ amount: dollars(3) }),
        spend({ type: "FEE", amount: dollars(1) }),
      ];
      const made = await Promise.all([...spends, terminate()]);
      const authorized = made.some((row) => row?.type === "AUTHORIZATION") ? 300n : 0n;
      const paid = (await walletWhenQuiet()) - before;
      const [fee] = await sql()<
        { charged: boolean }[]
      >`select exists (select 1 from ledger_transfers where merchant_id = ${shop.merchant.id} and meta->>'type' = 'card_charge') as charged`;
      // What shops charge after the end costs the fund rate.
      expect(paid).toBe((2_400n - authorized) * 1_500n - (fee?.charged ? 100n * 100n : 0n));
      await expectBooksToAgree();
    });
  });

  test("what has come to nothing is not believed: hints delay no turn, an issuer that took nothing has failed, one name may be two", async () => {
    await orderFault(issuer, "unload", "error_before", card);
    const { id } = await unload(5);
    const row = await findOperation(shop.merchant.id, id);
    if (!row) throw new Error("gone");
    await Promise.all(times(5, () => takeHint(systemContext("test"), issuer, { reference: card.providerReference ?? "" })));
    const after = await findOperation(shop.merchant.id, id);
    expect((after?.attempts ?? 0) - row.attempts).toBeLessThanOrEqual(1);
    await settleOperation(row, { status: "pending", providerReference: card.providerReference }, atItsTurn);
    await settleOperation(row, { status: "completed", providerReference: "x", issued: null, taken: dollars(0) }, atItsTurn);
    expect(await findOperation(shop.merchant.id, id)).toMatchObject({ status: "failed" });
    expect((await now()).balance).toEqual(dollars(20));
    await expectBooksToAgree();
  });

  test("a freeze and an unfreeze at once end in one of both, and the issuer has the same", async () => {
    await Promise.allSettled([
      ...times(3, () => changeCard(shop.ctx, card.id, "freeze")),
      ...times(3, () => changeCard(shop.ctx, card.id, "unfreeze")),
    ]);
    const running = await sql()<{ id: string }[]>`select id from card_operations where card_id = ${card.id}`;
    await Promise.all(running.map(({ id }) => settled({ merchantId: shop.merchant.id, id })));
    expect((await now()).status).toBe((await atIssuer())?.state);
  });
});

test("whatever shops do, before the end of a card and after it, its account agrees with the issuer and the wallet with both", async () => {
  const step = fc.record({
    what: fc.constantFrom("AUTHORIZATION", "CLEARING", "REVERSAL", "REFUND", "FEE", "terminate" as const, "fund" as const),
    cents: fc.integer({ min: 1, max: 900 }),
    which: fc.nat(4),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
      shop = await aCardMerchant({ wallet: 100_000 });
      card = await aCard(shop, { balance: 10 });
      const authorizations: string[] = [];
      for (const { what, cents, which } of steps) {
        const amount = money(BigInt(cents), "USD");
        if (what === "terminate") await changeCard(shop.ctx, card.id, "terminate");
        else if (what === "fund") await fund(1).catch((error) => expect(codeOf(error)).toBe("CARD_TERMINATED"));
        else {
          const related =
            what === "CLEARING" || what === "REVERSAL" ? authorizations.at(which % Math.max(1, authorizations.length)) : undefined;
          const made = await spend({ type: what, amount, ...(related && { related_transaction_id: related }) }).catch((error) => {
            // More than is open cannot be reversed.
            expect(codeOf(error)).toBe("VALIDATION_ERROR");
          });
          if (made?.type === "AUTHORIZATION") authorizations.push(made.id);
        }
      }
      await expectBooksToAgree();
    }),
    { numRuns: 12 },
  );
}, 400_000);

describe("prices", () => {
  beforeEach(async () => {
    shop = await aCardMerchant();
    card = await aCard(shop);
  });

  test("are the merchant's own where it has some, and rounding favours the house", async () => {
    await setRate(anOperator, shop.merchant.id, { buy: 14_999_999n, mid: 15_500_001n, sell: 16_000_001n, validForHours: 1 });
    await setFeeRule(anOperator, shop.merchant.id, "fund", { flat: 1n, bps: 33, minimum: 5n, maximum: 90n });
    const before = await walletOf(shop);
    // Fee: 1 + ceil(1,001 × 0.33%) = 5 cents. 1,006 cents × 1,600.0001 = 1,609,600.1006 kobo.
    const funded = await fund(10.01);
    expect(funded).toMatchObject({ status: "completed", fee: 5n, exchangeRate: 16_000_001n, walletAmount: 1_609_601n });
    expect(await walletOf(shop)).toEqual(money(before.minor - 1_609_601n, "NGN"));
    // 333 × 1,499.9999 = 499,499.9667 kobo.
    expect(await unload(3.33)).toMatchObject({ status: "completed", walletAmount: 499_499n });
    expect(await walletOf(shop)).toEqual(money(before.minor - 1_609_601n + 499_499n, "NGN"));
    // Spread: 1,609,601 − floor(1,006 × 1,550.0001), and floor(333 × 1,550.0001) − 499,499.
    expect(await accountBalance(shop.merchant.id, "revenue:spread")).toBe(1_609_601n - 1_559_300n + (516_150n - 499_499n));
    expect(await accountBalance(shop.merchant.id, "revenue:fees")).toBe(5n);
    await expectBooksToAgree();
  });

  test("above what the merchant allows are refused, and at exactly that are taken", async () => {
    const before = await getWallet(shop.ctx);
    await expect(fund(10, 15_999_999n)).rejects.toMatchObject({ code: "PRICE_CHANGED", outcome: "not_executed" });
    expect(await getWallet(shop.ctx)).toEqual(before);
    expect((await fund(10, 16_000_000n)).status).toBe("completed");
  });

  test("whose rate is past its validity are refused; an own rate gives way to the platform's", async () => {
    await setRate(anOperator, shop.merchant.id, { buy: 1n, mid: 2n, sell: 3n, validForHours: 1 });
    await sql()`update exchange_rates set valid_from = now() - interval '2 h', valid_until = now() - interval '1 s' where merchant_id = ${shop.merchant.id}`;
    expect((await fund(10)).exchangeRate).toBe(16_000_000n);
    await sql()`update exchange_rates set valid_until = now() - interval '1 s' where merchant_id = 'mer_platform_test'`;
    try {
      await expect(fund(10)).rejects.toMatchObject({ code: "PROVIDER_UNAVAILABLE" });
      await expect(unload(1)).rejects.toMatchObject({ code: "PROVIDER_UNAVAILABLE" });
      // An end must be possible whatever the rate: the last one counts.
      expect((await changeCard(shop.ctx, card.id, "terminate")).card.status).toBe("TERMINATED");
    } finally {
      await sql()`update exchange_rates set valid_until = '2100-01-01' where merchant_id = 'mer_platform_test'`;
    }
  });

  test("of issuing are charged with the card, and given back where it fails", async () => {
    await setFeeRule(anOperator, shop.merchant.id, "issue", { flat: 250n, bps: 0, minimum: 0n, maximum: null });
    const before = await walletOf(shop);
    await aCard(shop);
    expect(await walletOf(shop)).toEqual(money(before.minor - 400_000n, "NGN"));
    await orderFault("sandbox", "issue", "refuse");
    const { id } = await issueCard(shop.ctx, { cardholderId: card.cardholderId, brand: "VISA", nickname: null });
    expect((await readTestCard(shop, id)).status).toBe("FAILED");
    expect(await walletOf(shop)).toEqual(money(before.minor - 400_000n, "NGN"));
    expect(await count("card.failed")).toBe(1);
    await expectBooksToAgree();
  });

  test("have a fee between its minimum and its maximum, never a fraction of a cent short", () => {
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
});
