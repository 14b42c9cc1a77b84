import { beforeEach, describe, expect, test, vi } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { dollars, naira } from "#lib/money.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import type { OperationOutcome } from "#providers/issuer.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { decidedByTwo } from "../../approved.fixture.ts";
import { systemContext } from "../../context.ts";
import { getWallet, holdOrRefuse } from "../../ledger/index.ts";
import { anOperator, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import type { OperationRow } from "../card-operation.ts";
import { resolveBlock } from "../cards/resolve-block.ts";
import {
  aCard,
  aCardMerchant,
  cardAtIssuer,
  issuerOf,
  latestOperation,
  letTimePass,
  openItemsOf,
  operationRow,
  operatorAlertsAbout,
  orderFault,
  readTestCard,
  settled,
  type TestCard,
  tellIssuerAbout,
} from "../cards.fixture.ts";
import { FUND_RATE, fundingCost, fundingFee, MID_RATE, mostToFund, RATE_SCALE, unloadWorth } from "../prices/prices.fixture.ts";
import { countEvents, expectBooksToAgree, koboIn } from "../spend/books.fixture.ts";
import { resolveItem } from "../spend/resolve-item.ts";
import { syncCard } from "../sync/sync-cards.ts";
import { callIssuer, claimOperation } from "./claim-and-call.ts";
import { changeCard } from "./freeze-and-terminate.ts";
import { fundCard, unloadCard } from "./fund-and-unload.ts";
import { holdOfWallet } from "./journal.ts";
import { recheckLostOperations, resolveOperation } from "./resolve.ts";
import { settleOperation } from "./settle.ts";

withDatabase();
withApp();
withCardSweeps();

let shop: TestMerchant;
let card: TestCard;

const asAttempt = { countsAsAttempt: true };
const fund = (amount: number) => fundCard(shop.ctx, card.id, { amount: dollars(amount) });
const unload = (amount: number) => unloadCard(shop.ctx, card.id, { amount: dollars(amount) });
const now = () => readTestCard(shop, card.id);
const rowOf = ({ id }: Pick<OperationRow, "id">) => operationRow(shop, id);
const openItems = () => openItemsOf(shop);
const terminate = async () => {
  await changeCard(shop.ctx, card.id, "terminate");
  expect((await now()).status).toBe("TERMINATED");
};

/** Claims a funding of $10 and holds its cost, without asking the issuer. */
async function aClaimedFunding(): Promise<OperationRow> {
  return transaction(async (tx) => {
    const prices = {
      amount: dollars(10).minor,
      fee: fundingFee(10).minor,
      exchangeRate: FUND_RATE * RATE_SCALE,
      midRate: MID_RATE * RATE_SCALE,
      walletAmount: fundingCost(10).minor,
    };
    const id = `cop_claimed${Math.random()}`;
    const operation = await claimOperation(tx, shop.ctx, { id, merchantId: shop.merchant.id, cardId: card.id, type: "fund", ...prices });
    await holdOrRefuse(tx, shop.merchant.id, holdOfWallet(operation));
    return operation;
  });
}

interface Lost {
  operation: OperationRow;
  /** Sends the request that never arrived, and returns the issuer's answer without settling it. */
  callLate: () => Promise<OperationOutcome>;
}

/** Begins an operation whose request never reaches the issuer, and waits until a sweep has settled it as lost. */
async function aLostOperation(type: "fund" | "unload" | "freeze" | "terminate", amount: number): Promise<Lost> {
  await orderFault("sandbox", type === "terminate" ? "close" : type, "hang_before", card);
  if (type === "fund") await fund(amount);
  else if (type === "unload") await unload(amount);
  else await changeCard(shop.ctx, card.id, type);
  const operation = await latestOperation(shop, card.id, type);
  await letTimePass(operation);
  expect(await settled(operation)).toMatchObject({ status: "failed", failureReason: "The card issuer never received it." });
  const request = { reference: operation.reference, cardReference: card.providerReference ?? "", amount: dollars(amount) };
  return { operation: await rowOf(operation), callLate: () => issuerOf(card)[type](request) };
}

/** A lost operation that the issuer has executed after all. Its answer, `late`, is not settled here. */
async function aLostAndExecuted(type: "fund" | "unload", amount: number): Promise<{ operation: OperationRow; late: OperationOutcome }> {
  const { operation, callLate } = await aLostOperation(type, amount);
  return { operation, late: await callLate() };
}

/** Makes the next re-check of a lost operation due, and runs the sweep that makes it. */
async function recheckNow({ id }: Pick<OperationRow, "id">): Promise<void> {
  await sql()`update card_operations set recheck_at = now() - interval '1 second' where id = ${id} and recheck_at is not null`;
  await recheckLostOperations(systemContext("test"));
}

beforeEach(async () => {
  shop = await aCardMerchant();
  card = await aCard(shop, { balance: 20 });
});

test("a process that stalls while it marks its funding as asked never asks, and the hold is released", async () => {
  const before = await getWallet(shop.ctx);
  const elapsedMs = startStopwatch();
  const operation = await aClaimedFunding();
  let asking: Promise<OperationRow> | undefined;
  await sql().begin(async (tx) => {
    await tx`select 1 from card_operations where id = ${operation.id} for update`;
    asking = callIssuer(operation, { card, elapsedMs });
    await until(async () => elapsedMs() > 10_500);
  });
  expect((await asking)?.status).toBe("processing");
  expect((await cardAtIssuer(card))?.balance).toEqual(dollars(20));
  await letTimePass(operation);
  expect((await settled(operation)).status).toBe("failed");
  expect(await getWallet(shop.ctx)).toEqual(before);
  expect((await cardAtIssuer(card))?.balance).toEqual(dollars(20));
  await expectInvariantsToHold();
});

test("a funding that one process marks as asked while another reads the issuer is not settled as lost", async () => {
  const operation = await aClaimedFunding();
  await sql()`update card_operations set created_at = created_at - interval '20 s' where id = ${operation.id}`;
  const reading = vi.spyOn(issuerOf(card), "readOperation").mockImplementationOnce(async () => {
    await sql()`update card_operations set asked_at = clock_timestamp() where id = ${operation.id}`;
    return { status: "not_found" };
  });
  await resolveOperation(await rowOf(operation));
  reading.mockRestore();
  expect((await rowOf(operation)).status).toBe("processing");
  await letTimePass(operation);
  await settled(operation);
});

test("a process whose funding was settled as lost does not ask the issuer", async () => {
  const operation = await aClaimedFunding();
  await letTimePass(operation);
  await settled(operation);
  expect((await callIssuer(operation, { card, elapsedMs: () => 0 })).status).toBe("failed");
  expect((await cardAtIssuer(card))?.balance).toEqual(dollars(20));
});

describe("a lost funding that the issuer executed after all", () => {
  test("is charged once, however many answers arrive, and blocks the card until an operator resolves the block", async () => {
    const before = await koboIn(shop);
    const { operation, late } = await aLostAndExecuted("fund", 10);
    await Promise.all(times(10, () => settleOperation(operation, late, asAttempt)));
    expect(await rowOf(operation)).toMatchObject({ status: "completed", failureReason: null, correctedAt: expect.any(Date) });
    expect(await koboIn(shop)).toBe(before - fundingCost(10).minor);
    expect((await now()).balance).toEqual(dollars(20 + 10));
    expect((await cardAtIssuer(card))?.balance).toEqual(dollars(20 + 10));
    expect(await countEvents(shop, "card.funded")).toBe(2);
    expect(await operatorAlertsAbout(card.id)).toEqual(["card.blocked"]);
    const refused = { code: "CARD_NOT_ACTIVE" };
    await expect(fund(1)).rejects.toMatchObject(refused);
    await expect(unload(1)).rejects.toMatchObject(refused);
    await expect(changeCard(shop.ctx, card.id, "terminate")).rejects.toMatchObject(refused);
    expect((await changeCard(shop.ctx, card.id, "freeze")).card.status).toBe("FROZEN");
    await changeCard(shop.ctx, card.id, "unfreeze");
    expect(await resolveBlock(anOperator, card.id, "The issuer confirmed it.")).toBe(true);
    expect(await resolveBlock(anOperator, card.id, "Again.")).toBe(false);
    expect((await unload(1)).status).toBe("completed");
    await expectBooksToAgree(shop);
  });

  test("is owed if the wallet has been spent meanwhile, and paid by the next credit", async () => {
    const { operation, callLate } = await aLostOperation("fund", 10);
    const other = await aCard(shop);
    const amount = mostToFund((await getWallet(shop.ctx)).available);
    await settled(await fundCard(shop.ctx, other.id, { amount }));
    const left = await koboIn(shop);
    await settleOperation(operation, await callLate(), asAttempt);
    expect((await getWallet(shop.ctx)).owed.minor).toBe(fundingCost(10).minor - left);
    await settled(await unloadCard(shop.ctx, other.id, { amount: dollars(100) }));
    expect((await getWallet(shop.ctx)).owed).toEqual(naira(0));
    await expectInvariantsToHold();
  });

  test("is found by the next re-check, even if the process that asked died at once", async () => {
    const { operation } = await aLostAndExecuted("fund", 10);
    expect(operation.recheckAt).not.toBeNull();
    await sql()`update card_operations set recheck_at = now() - interval '1 second' where id = ${operation.id}`;
    await until(async () => {
      await recheckLostOperations(systemContext("test"));
      return (await rowOf(operation)).status === "completed";
    });
    expect((await now()).blockedAt).not.toBeNull();
    await expectBooksToAgree(shop);
  });

  test("a lost funding whose dollars returned at the end of its card is charged and credited, and leaves nothing in suspense", async () => {
    const { operation, late } = await aLostAndExecuted("fund", 10);
    const before = await koboIn(shop);
    await terminate();
    expect(await openItems()).toMatchObject([{ kind: "returned_by_issuer", open: dollars(10).minor }]);
    await settleOperation(operation, late, asAttempt);
    await until(async () => (await openItems()).length === 0);
    expect((await koboIn(shop)) - before).toBe(unloadWorth(20 + 10).minor - fundingCost(10).minor);
    expect((await now()).balance).toEqual(dollars(0));
    await expectInvariantsToHold();
  });
});

test("a lost unload, freeze or termination that the issuer executed after all is posted once, and blocks the card", async () => {
  for (const { type, credited, status } of [
    { type: "unload", credited: unloadWorth(5), status: "ACTIVE" },
    { type: "freeze", credited: naira(0), status: "FROZEN" },
    { type: "terminate", credited: unloadWorth(20), status: "TERMINATED" },
  ] as const) {
    card = await aCard(shop, { balance: 20 });
    const before = await koboIn(shop);
    const { operation, callLate } = await aLostOperation(type, 5);
    const late = await callLate();
    await Promise.all(times(5, () => settleOperation(operation, late, asAttempt)));
    expect((await koboIn(shop)) - before).toBe(credited.minor);
    const after = await now();
    expect({ status: after.status, balance: after.balance }).toEqual({ status, balance: (await cardAtIssuer(card))?.balance });
    expect(after.blockedAt).not.toBeNull();
  }
  await expectInvariantsToHold();
});

test("a lost termination that the issuer executed after all waits for an operation that is processing, also after its last re-check", async () => {
  const before = await koboIn(shop);
  const { operation: termination, callLate } = await aLostOperation("terminate", 0);
  await sql()`update card_operations set recheck_at = null where id = ${termination.id}`;
  const undecided = vi.spyOn(issuerOf(card), "readOperation").mockResolvedValue({ status: "pending", providerReference: null });
  await orderFault("sandbox", "unload", "error_before", card);
  const processing = await unload(5);
  await settleOperation(termination, await callLate(), asAttempt);
  expect(await rowOf(termination)).toMatchObject({ status: "failed", recheckAt: expect.any(Date) });
  expect(await now()).toMatchObject({ status: "ACTIVE", blockedAt: null });
  expect(await koboIn(shop)).toBe(before);
  await settleOperation(await rowOf(processing), { status: "failed", reason: "The card is closed." }, asAttempt);
  undecided.mockRestore();
  await recheckNow(termination);
  await until(async () => (await rowOf(termination)).status === "completed");
  expect((await now()).blockedAt).not.toBeNull();
  expect((await koboIn(shop)) - before).toBe(unloadWorth(20).minor);
  await expectInvariantsToHold();
});

describe("a lost unload that the issuer executed after all", () => {
  test("is credited once, and a card that the issuer then closes stays open here until the unload is corrected and the block resolved", async () => {
    const before = await koboIn(shop);
    const { operation } = await aLostAndExecuted("unload", 20);
    await tellIssuerAbout(card, "shut");
    await syncCard(await now());
    expect((await now()).status).toBe("ACTIVE");
    expect(await koboIn(shop)).toBe(before);
    await recheckNow(operation);
    await until(async () => (await rowOf(operation)).status === "completed");
    expect((await koboIn(shop)) - before).toBe(unloadWorth(20).minor);
    // The card is blocked: no money moves until an operator resolves the block.
    await syncCard(await now());
    expect((await now()).status).toBe("ACTIVE");
    await resolveBlock(anOperator, card.id, "The issuer confirmed it.");
    await syncCard(await now());
    // A notice of the issuer may have begun to close the card already.
    await until(async () => (await now()).status === "TERMINATED");
    expect((await koboIn(shop)) - before).toBe(unloadWorth(20).minor);
    await expectInvariantsToHold();
  });

  test("is credited once, whether an operator or the correction settles the difference first", async () => {
    for (const isOperatorFirst of [true, false]) {
      card = await aCard(shop, { balance: 20 });
      const before = await koboIn(shop);
      const { operation, late } = await aLostAndExecuted("unload", 20);
      await terminate();
      const [item] = await openItems();
      if (!item) throw new Error("no difference");
      // While the lost unload is re-checked, it may explain the difference.
      expect(await decidedByTwo((by) => resolveItem(by, item.id, "credit", "It neither came back nor was spent."))).toBe(false);
      if (isOperatorFirst) {
        await sql()`update card_operations set recheck_at = null where id = ${operation.id}`;
        expect(await decidedByTwo((by) => resolveItem(by, item.id, "credit", "The re-checks are over."))).toBe(true);
        await settleOperation(operation, late, asAttempt);
      } else {
        await recheckNow(operation);
        await until(async () => (await openItems()).length === 0);
      }
      expect((await koboIn(shop)) - before).toBe(unloadWorth(20).minor);
      await expectInvariantsToHold();
    }
  });
});

test("a lost unload that took more than was asked, as its issuer says, is re-checked four times and no more", async () => {
  const { operation } = await aLostOperation("unload", 5);
  const answer = { status: "completed" as const, providerReference: "x", issued: null, taken: dollars(6) };
  const told = vi.spyOn(issuerOf(card), "readOperation").mockResolvedValue(answer);
  await until(async () => {
    await recheckNow(operation);
    return (await rowOf(operation)).recheckAt === null;
  });
  expect(told).toHaveBeenCalledTimes(4);
  told.mockRestore();
  expect((await now()).blockedAt).not.toBeNull();
  await expectInvariantsToHold();
});

test("a lost operation is re-checked until its issuer has said four times that it does not know it; a missing answer does not count", async () => {
  const { operation: funding } = await aLostOperation("fund", 10);
  const down = vi.spyOn(issuerOf(card), "readOperation").mockResolvedValue({ status: "unknown" });
  for (let n = 0; n < 6; n++) await recheckNow(funding);
  down.mockRestore();
  expect(await rowOf(funding)).toMatchObject({ attempts: 0, recheckAt: expect.any(Date) });
  await until(async () => {
    await recheckNow(funding);
    return (await rowOf(funding)).recheckAt === null;
  });
  expect((await rowOf(funding)).attempts).toBe(4);
  // The answer of the first call arrives at last, and is still undecided.
  await settleOperation(funding, { status: "pending", providerReference: "x" }, asAttempt);
  expect((await rowOf(funding)).recheckAt).not.toBeNull();
});
