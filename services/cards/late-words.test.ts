import { beforeEach, describe, expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { dollars } from "#lib/money.ts";
import type { OperationOutcome } from "#providers/issuer.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { walletOf } from "../checkout/checkout.fixture.ts";
import { systemContext } from "../context.ts";
import { anOperator, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { alarmOnUndecidedOperations, alarmOnWaitingSpend } from "./alarm-on-waiting.ts";
import type { CardOperation } from "./card-operation.ts";
import {
  aCard,
  aCardMerchant,
  issuerOf,
  letTimePass,
  openItemsOf,
  orderFault,
  readTestCard,
  settled,
  spendOf,
  spendRow,
  type TestCard,
  tellIssuer,
} from "./cards.fixture.ts";
import { changeCard } from "./change-card.ts";
import { fundCard, unloadCard } from "./move-money.ts";
import { passOnWhatIsLeft } from "./pass-on.ts";
import { readNews } from "./read-news.ts";
import { recordTransaction } from "./record-transaction.ts";
import { releaseExpiredAuthorizations } from "./release-expired.ts";
import { resolveBlock } from "./resolve-block.ts";
import { resolveItem } from "./resolve-item.ts";
import { lookAgainAtLostOperations, resolveOperation } from "./resolve-operations.ts";
import { findOperation } from "./rows.ts";
import { settleByOperator } from "./settle-by-operator.ts";
import { settleOperation } from "./settle-operation.ts";
import { simulateSpend } from "./simulate-spend.ts";
import { syncCard } from "./sync-cards.ts";

withDatabase();
withApp();
withCardSweeps();

let shop: TestMerchant;
let card: TestCard;

const now = () => readTestCard(shop, card.id);
const wallet = async () => (await walletOf(shop)).minor;
const issuer = () => issuerOf(card);
const openItems = () => openItemsOf(shop);
const rowOf = async ({ id }: Pick<CardOperation, "id">) => {
  const row = await findOperation(shop.merchant.id, id);
  if (!row) throw new Error("gone");
  return row;
};
const terminate = async () => {
  await changeCard(shop.ctx, card.id, "terminate");
  expect((await now()).status).toBe("TERMINATED");
};

/** The process that claimed it was paused, it was given up, and its call came after all. Nobody here has heard the answer. */
async function lostAndDone(type: "fund" | "unload", amount: number): Promise<CardOperation & { word: OperationOutcome }> {
  await orderFault("sandbox", type, "hang_before", card);
  const operation =
    type === "fund"
      ? await fundCard(shop.ctx, card.id, { amount: dollars(amount), maxExchangeRate: null })
      : await unloadCard(shop.ctx, card.id, dollars(amount));
  await letTimePass(operation);
  expect((await settled(operation)).status).toBe("failed");
  const request = { reference: operation.reference, cardReference: card.providerReference ?? "", amount: dollars(amount) };
  return { ...operation, word: await issuer()[type](request) };
}

async function letLookComeDue({ id }: Pick<CardOperation, "id">): Promise<void> {
  await sql()`update card_operations set look_again_at = now() where id = ${id} and look_again_at is not null`;
  await lookAgainAtLostOperations(systemContext("test"));
}

beforeEach(async () => {
  shop = await aCardMerchant();
  card = await aCard(shop, { balance: 20 });
});

describe("an unload that was given up and done after all", () => {
  test("is credited once, also where the issuer then closes the card: it is not closed here while that may turn out", async () => {
    const before = await wallet();
    const unload = await lostAndDone("unload", 20);
    await tellIssuer("sandbox", "shut", { card: card.providerReference });
    await syncCard(await now());
    expect((await now()).status).toBe("ACTIVE");
    expect(await wallet()).toBe(before);
    await letLookComeDue(unload);
    await until(async () => (await rowOf(unload)).status === "completed");
    expect((await wallet()) - before).toBe(3_000_000n);
    // Blocked: no money moves before an operator has looked into it.
    await syncCard(await now());
    expect((await now()).status).toBe("ACTIVE");
    await resolveBlock(anOperator, card.id, "The issuer confirmed it.");
    await syncCard(await now());
    // A notice of the issuer may have begun to close it already.
    await until(async () => (await now()).status === "TERMINATED");
    expect((await wallet()) - before).toBe(3_000_000n);
    await expectInvariantsToHold();
  });

  test("is credited once, whether an operator or the correction comes to the difference first", async () => {
    for (const isOperatorFirst of [true, false]) {
      card = await aCard(shop, { balance: 20 });
      const before = await wallet();
      const unload = await lostAndDone("unload", 20);
      await terminate();
      const [item] = await openItems();
      if (!item) throw new Error("no difference");
      // Not yet: the unload may explain it.
      expect(await resolveItem(anOperator, item.id, "credit", "It neither came back nor was spent.")).toBe(false);
      if (isOperatorFirst) {
        await sql()`update card_operations set look_again_at = null where id = ${unload.id}`;
        expect(await resolveItem(anOperator, item.id, "credit", "The looks are over.")).toBe(true);
        await settleOperation(unload, unload.word, { isTurn: true });
      } else {
        await letLookComeDue(unload);
        await until(async () => (await openItems()).length === 0);
      }
      expect((await wallet()) - before).toBe(3_000_000n);
      await expectInvariantsToHold();
    }
  });
});

test("a funding that was given up, done and returned at the end is charged and comes home, and leaves nothing in suspense", async () => {
  const funding = await lostAndDone("fund", 10);
  const before = await wallet();
  await terminate();
  expect(await openItems()).toMatchObject([{ kind: "returned_by_issuer", open: 1_000n }]);
  await settleOperation(funding, funding.word, { isTurn: true });
  await until(async () => (await openItems()).length === 0);
  // $20 and $10 at the unload rate, less what $10 and its fee cost.
  expect((await wallet()) - before).toBe(3_000n * 1_500n - 1_760_000n);
  expect((await now()).balance).toEqual(dollars(0));
  await expectInvariantsToHold();
});

test("an authorization that comes after the end and expires is paid by the wallet and given back to it, once each", async () => {
  await terminate();
  const before = await wallet();
  await recordTransaction(await now(), spendRow({ transactionReference: "late", type: "AUTHORIZATION", amount: dollars(5) }));
  await passOnWhatIsLeft(await now());
  expect((await wallet()) - before).toBe(-800_000n);
  await sql()`
    update card_transactions set occurred_at = occurred_at - interval '9 days', created_at = created_at - interval '9 days' where card_id = ${card.id}`;
  await sql()`
    update card_operations set created_at = created_at - interval '9 days', completed_at = completed_at - interval '9 days' where card_id = ${card.id}`;
  await releaseExpiredAuthorizations(systemContext("test"));
  // It waits since its expiry, not since it was made.
  expect(await alarmOnWaitingSpend(systemContext("test"))).toBe(0);
  for (let n = 0; n < 3; n++) await passOnWhatIsLeft(await now());
  expect((await wallet()) - before).toBe(-800_000n + 750_000n);
  await expectInvariantsToHold();
});

test("a reversal that is listed before its clearing, both after the end, leaves nothing in suspense", async () => {
  await simulateSpend(shop.ctx, card.id, spendOf({ amount: dollars(6) }));
  const [open] = await sql()<
    { reference: string }[]
  >`select provider_transaction_id as reference from card_transactions where card_id = ${card.id}`;
  await terminate();
  const before = await wallet();
  const ended = await now();
  await recordTransaction(ended, spendRow({ transactionReference: "r1", type: "REVERSAL", amount: dollars(2), relatedReference: "c1" }));
  await passOnWhatIsLeft(ended);
  await recordTransaction(
    ended,
    spendRow({ transactionReference: "c1", type: "CLEARING", amount: dollars(6), relatedReference: open?.reference ?? "" }),
  );
  await passOnWhatIsLeft(ended);
  expect((await wallet()) - before).toBe(200n * 1_500n);
  expect(await openItems()).toEqual([]);
  await expectInvariantsToHold();
});

test("an operator and late spend that come to one difference at once take it once", async () => {
  const { terminate: end } = issuer();
  const lying = vi
    .spyOn(issuer(), "terminate")
    .mockImplementationOnce(async (request) => ({ ...(await end(request)), taken: dollars(15) }) as OperationOutcome);
  await terminate();
  lying.mockRestore();
  const before = await wallet();
  const [item] = await openItems();
  await sql()`update cards set next_sync_at = now() + interval '1 day' where id = ${card.id}`;
  await recordTransaction(await now(), spendRow({ transactionReference: "late", type: "CLEARING", amount: dollars(5) }));
  let racing: Promise<unknown> = Promise.resolve();
  await sql().begin(async (tx) => {
    await tx`select 1 from ledger_accounts where merchant_id = ${shop.merchant.id} and account = 'suspense:issuer' for update`;
    racing = Promise.all([resolveItem(anOperator, item?.id ?? "", "credit", "By guess."), passOnWhatIsLeft(card)]);
    await until(
      async () => (await sql()`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length >= 2,
    );
  });
  await racing;
  expect(await openItems()).toEqual([]);
  // Explained by the clearing; or credited to the wallet, which then pays for the clearing at the fund rate.
  expect([0n, 750_000n - 800_000n]).toContain((await wallet()) - before);
  await expectInvariantsToHold();
});

test("a row of spend that moved nothing explains no difference", async () => {
  const before = await wallet();
  const { terminate: end } = issuer();
  const lying = vi.spyOn(issuer(), "terminate").mockImplementationOnce(async (request) => {
    const word = await end(request);
    await recordTransaction(card, spendRow({ transactionReference: "of nothing", type: "REVERSAL", amount: dollars(20) }));
    return { ...word, taken: dollars(0) } as OperationOutcome;
  });
  await terminate();
  lying.mockRestore();
  expect(await wallet()).toBe(before);
  expect(await openItems()).toMatchObject([{ kind: "kept_by_issuer", open: 2_000n }]);
  await expectInvariantsToHold();
});

test("a row with a time that no calendar has is quarantined, and the others are recorded", async () => {
  const transactions = [
    spendRow({ transactionReference: "good", type: "REFUND", amount: dollars(2) }),
    spendRow({ transactionReference: "odd", type: "REFUND", amount: dollars(1), occurredAt: new Date(Date.now() * 1_000) }),
  ];
  const listing = vi
    .spyOn(issuer(), "listTransactions")
    .mockResolvedValue({ status: "found", transactions, unreadable: [], nextPage: null });
  await readNews(issuer(), card);
  listing.mockRestore();
  expect((await now()).balance).toEqual(dollars(22));
  expect(await sql()`select 1 from quarantined_spend where card_id = ${card.id}`).toHaveLength(1);
});

test("an operation that its issuer never decides holds up a termination until an operator settles it; a day later operators are told", async () => {
  await orderFault("sandbox", "unload", "error_before", card);
  const unload = await unloadCard(shop.ctx, card.id, dollars(5));
  const { readOperation } = issuer();
  const lie = vi
    .spyOn(issuer(), "readOperation")
    .mockImplementation(async (question) =>
      question.type === "unload"
        ? { status: "completed", providerReference: "p", issued: null, taken: dollars(5.01) }
        : readOperation(question),
    );
  await resolveOperation(await rowOf(unload));
  await resolveBlock(anOperator, card.id, "The issuer insists.");
  await changeCard(shop.ctx, card.id, "terminate");
  await sql()`update card_operations set created_at = created_at - interval '25 hours' where card_id = ${card.id} and status = 'processing'`;
  expect(await alarmOnUndecidedOperations(systemContext("test"))).toBe(2);
  expect(await settleByOperator(anOperator, unload.id, { taken: dollars(5.01), reason: "Too much." })).toBe(false);
  const before = await wallet();
  expect(await settleByOperator(anOperator, unload.id, { taken: null, reason: "The issuer's people say that it was not done." })).toBe(
    true,
  );
  lie.mockRestore();
  expect((await rowOf(unload)).status).toBe("failed");
  await until(async () => (await now()).status === "TERMINATED");
  expect((await wallet()) - before).toBe(3_000_000n);
  expect(await sql()`select 1 from audit_entries where action = 'card_operation.settled' and subject like ${`${unload.id}%`}`).toHaveLength(
    1,
  );
  await expectInvariantsToHold();
});

test("a lost operation is looked at until its issuer has said four times that it does not know it; no answer counts as none", async () => {
  await orderFault("sandbox", "fund", "hang_before", card);
  const funding = await fundCard(shop.ctx, card.id, { amount: dollars(10), maxExchangeRate: null });
  await letTimePass(funding);
  await settled(funding);
  const down = vi.spyOn(issuer(), "readOperation").mockResolvedValue({ status: "unknown" });
  for (let n = 0; n < 6; n++) await letLookComeDue(funding);
  down.mockRestore();
  expect(await rowOf(funding)).toMatchObject({ attempts: 0, lookAgainAt: expect.any(Date) });
  await until(async () => {
    await letLookComeDue(funding);
    return (await rowOf(funding)).lookAgainAt === null;
  });
  expect((await rowOf(funding)).attempts).toBe(4);
  // The call that was under way is answered at last: pending.
  await settleOperation(funding, { status: "pending", providerReference: "x" }, { isTurn: true });
  expect((await rowOf(funding)).lookAgainAt).not.toBeNull();
});

test("an authorization of a terminated card that expires is passed on without an alarm", async () => {
  await simulateSpend(shop.ctx, card.id, spendOf({ amount: dollars(5) }));
  await terminate();
  const before = await wallet();
  await sql()`
    update card_transactions set occurred_at = occurred_at - interval '9 days', created_at = created_at - interval '9 days' where card_id = ${card.id}`;
  await releaseExpiredAuthorizations(systemContext("test"));
  await until(async () => (await wallet()) - before === 750_000n);
  expect(await alarmOnWaitingSpend(systemContext("test"))).toBe(0);
});
