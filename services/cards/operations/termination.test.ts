import { sql as sqlOf } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { cardOperations } from "#db/schema/cards.ts";
import { dollars, money, naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { accountBalance, walletOf } from "../../checkout/checkout.fixture.ts";
import { getWallet } from "../../ledger/index.ts";
import type { TestMerchant } from "../../merchants/merchant.fixture.ts";
import {
  aCard,
  aCardMerchant,
  cardAtIssuer,
  ISSUERS,
  isQuiet,
  issuerOf,
  latestOperation,
  operatorAlertsAbout,
  orderFault,
  readTestCard,
  settled,
  spendOf,
  spendRow,
  spendSilently,
  type TestCard,
  tellIssuerAbout,
} from "../cards.fixture.ts";
import { fundingCost, minus, mostToFund, plus, shortfallCost, unloadWorth } from "../prices/prices.fixture.ts";
import { isOperation, lockCard, readOperationAgain } from "../rows.ts";
import { countEvents, expectBooksToAgree, koboIn } from "../spend/books.fixture.ts";
import { listCardTransactions } from "../spend/list-transactions.ts";
import { recordTransaction } from "../spend/record-transaction.ts";
import { simulateSpend } from "../sync/simulate-spend.ts";
import { syncCard } from "../sync/sync-cards.ts";
import { changeCard } from "./freeze-and-terminate.ts";
import { fundCard, unloadCard } from "./fund-and-unload.ts";
import { settleLocked } from "./settle.ts";

withDatabase();
withApp();
withCardSweeps();

let shop: TestMerchant;
let card: TestCard;

const fund = (amount: number) => fundCard(shop.ctx, card.id, { amount: dollars(amount) });
const now = () => readTestCard(shop, card.id);
const spend = (changes: Parameters<typeof spendOf>[0]) => simulateSpend(shop.ctx, card.id, spendOf(changes));
const codeOf = (error: unknown) => (error as { code?: string }).code;
const settledTermination = async () => settled(await latestOperation(shop, card.id, "terminate"));

describe.each(ISSUERS)("at the issuer %s", (issuer) => {
  beforeEach(async () => {
    shop = await aCardMerchant({ issuer });
    card = await aCard(shop, { balance: 20 });
  });
  const terminate = async () => {
    const { isProcessing } = await changeCard(shop.ctx, card.id, "terminate");
    if (isProcessing) await settledTermination();
  };
  /** Returns the kobo in the wallet, once no more money moves between it and the card. */
  const walletWhenQuiet = async () => {
    await until(async () => isQuiet(await now()));
    return koboIn(shop);
  };
  /** Lets the sweeps ask for the outcome of the termination now, or only in an hour. */
  const planNextAttempt = (when: "now" | "in an hour") => sql()`
    update card_operations set next_attempt_at = now() + ${when === "now" ? 0 : 3_600} * interval '1 s'
    where merchant_id = ${shop.merchant.id} and card_id = ${card.id} and type = 'terminate' and status = 'processing'`;
  /** The issuer closes the card and answers with an error. */
  const terminateWithoutAnswer = async () => {
    await orderFault(issuer, "close", "error_after", card);
    await changeCard(shop.ctx, card.id, "terminate");
    await planNextAttempt("in an hour");
  };
  const chargesToWallet = () =>
    sql()`select 1 from ledger_transfers where merchant_id = ${shop.merchant.id} and meta->>'type' = 'card_charge'`;

  test("a termination against five fundings at once leaves no money on the card and loses none", async () => {
    const before = await walletOf(shop);
    const funds = times(5, () => fund(10));
    const termination = changeCard(shop.ctx, card.id, "terminate");
    const results = await Promise.allSettled(funds);
    await termination;
    const made = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    for (const { code } of results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []))) {
      expect(["CARD_TERMINATED", "CARD_NOT_ACTIVE"]).toContain(code);
    }
    const { length: funded } = (await Promise.all(made.map(settled))).filter(({ status }) => status === "completed");
    const returned = 20 + funded * 10;
    expect((await settledTermination()).amount).toBe(dollars(returned).minor);
    const paid = money(BigInt(funded) * fundingCost(10).minor, "NGN");
    const left = plus(minus(before, paid), unloadWorth(returned));
    expect(await getWallet(shop.ctx)).toMatchObject({ balance: left, available: left, held: naira(0) });
    expect(await now()).toMatchObject({ status: "TERMINATED", balance: dollars(0) });
    await expectBooksToAgree(shop);
  });

  test("a termination requested five times at once credits the wallet once, and a later request is answered as done", async () => {
    const before = await walletOf(shop);
    await Promise.all(times(5, () => changeCard(shop.ctx, card.id, "terminate")));
    await settledTermination();
    expect(await changeCard(shop.ctx, card.id, "terminate")).toMatchObject({ isProcessing: false, card: { status: "TERMINATED" } });
    expect(await walletOf(shop)).toEqual(plus(before, unloadWorth(20)));
    expect(await countEvents(shop, "card.terminated")).toBe(1);
    await expectBooksToAgree(shop);
  });

  test("the wallet pays for an overdrawn card at its termination, and the rest is owed and taken from later credits", async () => {
    await spend({ type: "FEE", amount: dollars(120) });
    expect((await now()).balance).toEqual(minus(dollars(20), dollars(120)));
    const rich = await aCard(shop);
    // All but ₦50,000 goes to another card.
    const amount = mostToFund(minus(await walletOf(shop), naira(50_000)));
    await settled(await fundCard(shop.ctx, rich.id, { amount }));
    const left = await walletOf(shop);
    await changeCard(shop.ctx, card.id, "terminate");
    await settledTermination();
    expect(await walletOf(shop)).toEqual(naira(0));
    const owed = minus(shortfallCost(120 - 20), left).minor;
    expect(await accountBalance(shop.merchant.id, "receivable:merchant")).toBe(owed);
    await settled(await unloadCard(shop.ctx, rich.id, { amount: dollars(5) }));
    expect(await accountBalance(shop.merchant.id, "receivable:merchant")).toBe(owed - unloadWorth(5).minor);
    expect(await walletOf(shop)).toEqual(naira(0));
    await expectBooksToAgree(shop);
  });

  test("spend before the end that is listed later is part of the returned balance, and does not move the wallet again", async () => {
    const before = await koboIn(shop);
    await spendSilently(card, "REFUND", 500n);
    await spendSilently(card, "AUTHORIZATION", 800n);
    await terminate();
    expect(await walletWhenQuiet()).toBe(before + unloadWorth(20 + 5 - 8).minor);
    expect((await listCardTransactions(shop.ctx, card.id, { limit: 10 })).items).toHaveLength(2);
    await expectBooksToAgree(shop);
  });

  test("a refund after the end, while the termination has no answer yet, goes to the wallet once the termination is settled", async () => {
    const before = await koboIn(shop);
    await terminateWithoutAnswer();
    await until(async () => (await cardAtIssuer(card))?.state === "TERMINATED");
    await spendSilently(card, "REFUND", 300n);
    await planNextAttempt("now");
    expect(await walletWhenQuiet()).toBe(before + unloadWorth(20 + 3).minor);
    await expectBooksToAgree(shop);
  });

  test("a refund that is recorded while the termination has no answer yet is passed on once the termination is settled", async () => {
    const before = await koboIn(shop);
    await terminateWithoutAnswer();
    await until(async () => {
      const [closed] = await sql()`select 1 from sandbox.cards where id = ${card.providerReference} and state = 'closed'`;
      return closed;
    });
    const transactionReference = await spendSilently(card, "REFUND", 300n);
    await recordTransaction(card, spendRow({ transactionReference, type: "REFUND", amount: dollars(3) }));
    await planNextAttempt("now");
    expect(await walletWhenQuiet()).toBe(before + unloadWorth(20 + 3).minor);
    await expectBooksToAgree(shop);
  });

  test("a termination that another operation's end made due during an attempt is tried again at once, whatever that attempt answers", async () => {
    const before = await koboIn(shop);
    await terminateWithoutAnswer();
    const { id, reference } = await latestOperation(shop, card.id, "terminate");
    // An attempt that finds it queued still would wait for an hour, because the issuer's notice can come before we have its reference.
    await until(
      async () => (await sql()`select from sandbox.card_operations where reference = ${reference} and state = 'done'`).length === 1,
    );
    await transaction(async (tx) => {
      const locked = await lockCard(tx, shop.merchant.id, card.id);
      // After nine attempts the next wait is an hour.
      await tx
        .update(cardOperations)
        .set({ attempts: 9, nextAttemptAt: sqlOf`now()` })
        .where(isOperation({ merchantId: shop.merchant.id, id }));
      const termination = await readOperationAgain(tx, { merchantId: shop.merchant.id, id });
      await settleLocked(tx, locked, termination, { outcome: { status: "unknown" }, options: { countsAsAttempt: true } });
    });
    expect(await walletWhenQuiet()).toBe(before + unloadWorth(20).minor);
    await expectBooksToAgree(shop);
  });

  test("a list of spend that was read before a termination is not taken for the list after it", async () => {
    const adapter = issuerOf(card);
    const { listTransactions } = adapter;
    const before = await koboIn(shop);
    await spendSilently(card, "REFUND", 700n);
    let isFirst = true;
    // Between the reading of the list and its recording, the card is refunded again and terminated.
    adapter.listTransactions = async (...given) => {
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
      adapter.listTransactions = listTransactions;
    }
    expect(await walletWhenQuiet()).toBe(before + unloadWorth(20 + 7 + 5).minor);
    expect(await chargesToWallet()).toHaveLength(0);
    await expectBooksToAgree(shop);
  });

  test("a refund, an authorization, a fee and a termination at once credit the right amount in any order", async () => {
    const before = await koboIn(shop);
    const spends = [
      spend({ type: "REFUND", amount: dollars(5) }),
      spend({ amount: dollars(3) }),
      spend({ type: "FEE", amount: dollars(1) }),
    ];
    const made = await Promise.all([...spends, terminate()]);
    const authorized = made.some((row) => row?.type === "AUTHORIZATION") ? 3 : 0;
    const paid = (await walletWhenQuiet()) - before;
    // A fee before the end leaves the card; the wallet pays one after the end, at the fund rate.
    const isFeeAfterEnd = (await chargesToWallet()).length > 0;
    expect(paid).toBe(
      isFeeAfterEnd ? minus(unloadWorth(20 + 5 - authorized), shortfallCost(1)).minor : unloadWorth(20 + 5 - 1 - authorized).minor,
    );
    await expectBooksToAgree(shop);
  });

  test("a card that its issuer closes of its own accord is terminated here too, and its balance is credited once", async () => {
    const before = await koboIn(shop);
    await tellIssuerAbout(card, "shut");
    await until(async () => (await now()).status === "TERMINATED");
    await Promise.all([syncCard(await now()), syncCard(await now())]);
    expect((await koboIn(shop)) - before).toBe(unloadWorth(20).minor);
    expect(await operatorAlertsAbout(card.id)).toEqual(["card.closed_by_issuer"]);
    expect(await countEvents(shop, "card.terminated")).toBe(1);
    await expectBooksToAgree(shop);
  });

  test("a card that its issuer closes while spend of it is quarantined stays open here with its money, and operators are alerted", async () => {
    const before = await koboIn(shop);
    await sql()`
      insert into quarantined_spend (merchant_id, card_id, provider_transaction_id, reason, payload)
      values (${shop.merchant.id}, ${card.id}, 'of a new kind', 'Its fields kind are not as we know them.', '{"fields": ["kind"]}')`;
    await tellIssuerAbout(card, "shut");
    await until(async () => (await operatorAlertsAbout(card.id)).length > 0);
    await syncCard(await now());
    expect((await now()).status).toBe("ACTIVE");
    expect(await koboIn(shop)).toBe(before);
    expect(await operatorAlertsAbout(card.id)).toEqual(["card.closed_by_issuer"]);
  });
});

test("after any spend and funding, before and after the end of a card, the card agrees with its issuer and the books balance", async () => {
  const step = fc.record({
    action: fc.constantFrom("AUTHORIZATION", "CLEARING", "REVERSAL", "REFUND", "FEE", "terminate" as const, "fund" as const),
    cents: fc.integer({ min: 1, max: 900 }),
    which: fc.nat(4),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
      shop = await aCardMerchant({ wallet: 100_000 });
      card = await aCard(shop, { balance: 10 });
      const authorizations: string[] = [];
      for (const { action, cents, which } of steps) {
        const amount = money(BigInt(cents), "USD");
        if (action === "terminate") await changeCard(shop.ctx, card.id, "terminate");
        else if (action === "fund") await fund(1).catch((error) => expect(codeOf(error)).toBe("CARD_TERMINATED"));
        else {
          const related =
            action === "CLEARING" || action === "REVERSAL" ? authorizations.at(which % Math.max(1, authorizations.length)) : undefined;
          const made = await spend({ type: action, amount, ...(related && { related_transaction_id: related }) }).catch((error) => {
            // A reversal of more than is open is refused.
            expect(codeOf(error)).toBe("VALIDATION_ERROR");
          });
          if (made?.type === "AUTHORIZATION") authorizations.push(made.id);
        }
      }
      await expectBooksToAgree(shop);
    }),
    { numRuns: 12 },
  );
}, 400_000);
