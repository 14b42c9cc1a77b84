import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { dollars, money } from "#lib/money.ts";
import type { OperationOutcome } from "#providers/issuer.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { decidedByTwo } from "../../approved.fixture.ts";
import { accountBalance } from "../../checkout/checkout.fixture.ts";
import { systemContext } from "../../context.ts";
import { anOperator, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import type { OperationRow } from "../card-operation.ts";
import {
  aCard,
  aCardMerchant,
  isQuiet,
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
} from "../cards.fixture.ts";
import { changeCard } from "../operations/freeze-and-terminate.ts";
import { unloadCard } from "../operations/fund-and-unload.ts";
import { recheckLostOperations } from "../operations/resolve.ts";
import { settleByOperator } from "../operations/settle-by-operator.ts";
import { stopRechecks } from "../operations/stop-rechecks.ts";
import { alertOnUndecidedOperations } from "../sync/alert-on-waiting.ts";
import { syncCard } from "../sync/sync-cards.ts";
import { koboIn } from "./books.fixture.ts";
import {
  aLostOperation,
  correct,
  costOfFunding,
  endRechecks,
  listSpend,
  RATE,
  setOneRate,
  terminateReturning,
} from "./differences.fixture.ts";
import { releaseExpiredAuthorizations } from "./release-expired.ts";
import { type Resolution, resolveItem } from "./resolve-item.ts";

withDatabase();
withApp();
const sweeps = withCardSweeps();

const ctx = systemContext("test");

let shop: TestMerchant;
let card: TestCard;
let atFirst: bigint;

const now = () => readTestCard(shop, card.id);
const openItems = () => openItemsOf(shop);
const gained = async () => (await koboIn(shop)) - atFirst;
const worth = (amount: number) => dollars(amount).minor * RATE;

interface ListedRow {
  type: "AUTHORIZATION" | "CLEARING" | "REFUND" | "REVERSAL";
  amount: bigint;
}

const list = (type: ListedRow["type"], cents: bigint, of: string | null = null) => listSpend(shop, card, { type, cents, of });
const listAndSync = async (type: "CLEARING" | "REFUND", amount: number) => {
  await list(type, dollars(amount).minor);
  await syncCard(await now());
};

async function resolve(resolution: Resolution): Promise<void> {
  const [item] = await openItems();
  if (!item) throw new Error("no item is open");
  expect(await decidedByTwo((by) => resolveItem(by, item.id, resolution, "The issuer wrote to us."))).toBe(true);
}

const recheckAtOf = async ({ id }: OperationRow) => (await operationRow(shop, id)).recheckAt;

beforeEach(async () => {
  shop = await aCardMerchant();
  await setOneRate(shop);
  card = await aCard(shop, { balance: 20 });
  atFirst = await koboIn(shop);
});

describe("an operator's decision about a difference is not forgotten", () => {
  test.each([
    { returned: 30, resolution: "credit", type: "REFUND", wallet: 30, why: "the wallet has the refund already" },
    { returned: 30, resolution: "dismiss", type: "REFUND", wallet: 30, why: "the refund shows that the merchant was right" },
    { returned: 10, resolution: "dismiss", type: "CLEARING", wallet: 10, why: "the wallet has not got what the shop took" },
    { returned: 10, resolution: "credit", type: "CLEARING", wallet: 10, why: "the shop took what the wallet was given" },
  ] as const)(
    "after an operator's $resolution of a difference, a later $type that explains it leaves the wallet right: $why",
    async ({ returned, resolution, type, wallet }) => {
      await terminateReturning(shop, card, dollars(returned));
      await resolve(resolution);
      await listAndSync(type, 10);
      expect(await gained()).toBe(worth(wallet));
      expect(await openItems()).toEqual([]);
      expect((await now()).balance).toEqual(dollars(0));
      await expectInvariantsToHold();
      // What the decision explained once explains nothing else.
      await listAndSync(type, 4);
      expect(await gained()).toBe(worth(type === "REFUND" ? wallet + 4 : wallet - 4));
      await expectInvariantsToHold();
    },
  );

  test("in every order of the issuer's return, operators, refunds, clearings and reversals, the wallet ends with what the issuer returned", async () => {
    const cents = fc.integer({ min: 1, max: 900 }).map(BigInt);
    const story = fc.record({
      events: fc.array(fc.record({ type: fc.constantFrom("REFUND" as const, "CLEARING" as const, "HELD_AND_REVERSED" as const), cents }), {
        minLength: 1,
        maxLength: 4,
      }),
      /** The part of the events that the issuer lists before the end. */
      listedBefore: fc.integer({ min: 0, max: 4 }),
      /** After each later row: a sync, a word of an operator, both, or neither. */
      steps: fc.array(fc.constantFrom("sync", "credit", "dismiss", "nothing"), { minLength: 10, maxLength: 10 }),
    });
    await fc.assert(
      fc.asyncProperty(story, async ({ events, listedBefore, steps: words }) => {
        card = await aCard(shop, { balance: 20 });
        atFirst = await koboIn(shop);
        const rows = events.flatMap(({ type, cents: amount }): ListedRow[] =>
          type === "HELD_AND_REVERSED"
            ? [
                { type: "AUTHORIZATION", amount },
                { type: "REVERSAL", amount },
              ]
            : [{ type, amount }],
        );
        const effect = { REFUND: 1n, CLEARING: -1n, AUTHORIZATION: 0n, REVERSAL: 0n };
        const returned = rows.reduce((sum, { type, amount }) => sum + effect[type] * amount, dollars(20).minor);
        let authorization: string | null = null;
        const listRow = async ({ type, amount }: ListedRow) => {
          const name = await list(type, amount, type === "REVERSAL" ? authorization : null);
          if (type === "AUTHORIZATION") authorization = name;
        };
        for (const row of rows.slice(0, listedBefore)) await listRow(row);
        await terminateReturning(shop, card, money(returned, "USD"));
        const steps = words.values();
        const step = async () => {
          const what = steps.next().value;
          if (what === "sync") await syncCard(await now());
          const [item] = await openItems();
          if (item && (what === "credit" || what === "dismiss"))
            await decidedByTwo((by) => resolveItem(by, item.id, what, "The issuer wrote to us."));
        };
        await step();
        for (const row of rows.slice(listedBefore)) {
          await listRow(row);
          await step();
        }
        await syncCard(await now());
        const [item] = await openItems();
        expect(item).toBeUndefined();
        expect(await gained()).toBe(returned * RATE);
        expect((await now()).balance).toEqual(dollars(0));
        await expectInvariantsToHold();
      }),
      { numRuns: 25 },
    );
  }, 400_000);
});

describe("it makes no difference whether the issuer lists late spend together or apart", () => {
  test.each([
    { returned: 10, resolution: null, wallet: 20 },
    { returned: 10, resolution: "dismiss", wallet: 20 },
    { returned: 10, resolution: "credit", wallet: 20 },
    { returned: 30, resolution: null, wallet: 20 },
    { returned: 30, resolution: "credit", wallet: 20 },
    { returned: 30, resolution: "dismiss", wallet: 20 },
  ] as const)(
    "a clearing and a refund of 10 dollars after $returned dollars came back and an operator said $resolution",
    async ({ returned, resolution, wallet }) => {
      for (const together of [true, false]) {
        card = await aCard(shop, { balance: 20 });
        atFirst = await koboIn(shop);
        await terminateReturning(shop, card, dollars(returned));
        if (resolution !== null) await resolve(resolution);
        // The difference that is not resolved is explained by one of the two, and the other moves the wallet.
        for (const type of returned === 10 ? (["CLEARING", "REFUND"] as const) : (["REFUND", "CLEARING"] as const)) {
          await list(type, dollars(10).minor);
          if (!together) await syncCard(await now());
        }
        await syncCard(await now());
        expect({ together, gained: await gained() }).toEqual({ together, gained: worth(wallet) });
        expect(await openItems()).toEqual([]);
        await expectInvariantsToHold();
      }
    },
  );

  test("spend after the end moves the wallet by the same amount, whether it is read row by row or in groups", async () => {
    const row = fc.record({
      type: fc.constantFrom("REFUND" as const, "CLEARING" as const),
      cents: fc.integer({ min: 1, max: 900 }).map(BigInt),
    });
    const story = fc.record({
      returned: fc.integer({ min: 0, max: 4_000 }).map(BigInt),
      resolution: fc.constantFrom("credit" as const, "dismiss" as const),
      rows: fc.array(row, { minLength: 1, maxLength: 4 }),
      syncs: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(story, async ({ returned, resolution, rows, syncs }) => {
        const ends: bigint[] = [];
        for (const syncAfter of [rows.map(() => true), syncs]) {
          card = await aCard(shop, { balance: 20 });
          atFirst = await koboIn(shop);
          await terminateReturning(shop, card, money(returned, "USD"));
          const [item] = await openItems();
          if (item) await resolve(resolution);
          for (const [n, { type, cents }] of rows.entries()) {
            await list(type, cents);
            if (syncAfter[n]) await syncCard(await now());
          }
          await syncCard(await now());
          ends.push(await gained());
          expect((await now()).balance).toEqual(dollars(0));
        }
        expect(ends[1]).toBe(ends[0]);
        await expectInvariantsToHold();
      }),
      { numRuns: 12 },
    );
  }, 400_000);

  test("a clearing listed before the termination is answered leaves nothing in suspense, like one listed after it", async () => {
    const issuer = issuerOf(card);
    const { terminate } = issuer;
    vi.spyOn(issuer, "terminate").mockImplementationOnce(async (request) => {
      const answer = await terminate(request);
      await list("CLEARING", dollars(10).minor);
      return { ...answer, taken: dollars(20) } as OperationOutcome;
    });
    await changeCard(shop.ctx, card.id, "terminate");
    await until(async () => isQuiet(await now()));
    expect(await gained()).toBe(worth(10));
    expect(await openItems()).toEqual([]);
    await expectInvariantsToHold();
  });
});

describe("spend that is listed while the termination has no answer explains what it would explain after it, once", () => {
  const during = (rows: [ListedRow["type"], number][]) => async () => {
    for (const [type, amount] of rows) await list(type, dollars(amount).minor);
  };
  test.each([
    { known: [], rows: [["REFUND", 3]], returned: 30, open: [700n], wallet: 30 },
    { known: [["CLEARING", 25]], rows: [["REFUND", 3]], returned: 5, open: [-200n, 500n], wallet: 5 },
    { known: [["CLEARING", 20]], rows: [["CLEARING", 4]], returned: -10, open: [-600n], wallet: -4 },
    { known: [["CLEARING", 15]], rows: [["CLEARING", 4]], returned: -3, open: [100n, -300n], wallet: 1 },
  ] as const)("$rows of a card that returned $returned, after $known", async ({ known, rows, returned, open, wallet }) => {
    const openOf = async () => (await openItems()).map((item) => item.open).toSorted((a, b) => Number(a < b ? -1 : a > b ? 1 : 0));
    const wanted = open.toSorted((a, b) => Number(a < b ? -1 : a > b ? 1 : 0));
    for (const isDuring of [true, false]) {
      card = await aCard(shop, { balance: 20 });
      for (const [type, amount] of known) await list(type, dollars(amount).minor);
      atFirst = await koboIn(shop);
      const late = during(rows as unknown as [ListedRow["type"], number][]);
      await terminateReturning(shop, card, money(BigInt(returned) * 100n, "USD"), isDuring ? late : undefined);
      if (!isDuring) await late();
      await syncCard(await now());
      expect({ isDuring, open: await openOf() }).toEqual({ isDuring, open: wanted });
      for (const { id, open: cents } of await openItems())
        await decidedByTwo((by) => resolveItem(by, id, cents < 0n ? "dismiss" : "credit", "The issuer wrote to us."));
      expect({ isDuring, gained: await gained() }).toEqual({ isDuring, gained: BigInt(wallet) * 100n * RATE });
      await expectInvariantsToHold();
    }
  });
});

describe("corrections draw on the same differences as spend and operators", () => {
  test("if a difference covers one of two lost unloads that completed, one is paid, and operators are alerted to the other", async () => {
    const first = await aLostOperation(shop, card, { type: "unload", cents: 500n });
    const second = await aLostOperation(shop, card, { type: "unload", cents: 500n });
    await terminateReturning(shop, card, dollars(15));
    expect(await openItems()).toMatchObject([{ kind: "kept_by_issuer", open: dollars(5).minor }]);
    await Promise.all([correct(shop, first, dollars(5)), correct(shop, second, dollars(5))]);
    await syncCard(await now());
    expect(await gained()).toBe(worth(20));
    expect(await openItems()).toEqual([]);
    const [one, other] = [await operationRow(shop, first.id), await operationRow(shop, second.id)];
    expect([one.status, other.status].toSorted()).toEqual(["completed", "failed"]);
    expect(await operatorAlertsAbout(one.status === "failed" ? one.id : other.id)).toContain("card_operation.corrected");
    expect([one.recheckAt, other.recheckAt]).toEqual([null, null]);
    await expectInvariantsToHold();
  });

  test("if a refund covers one of two lost unloads that completed, one takes it back, and operators are alerted to the other", async () => {
    const first = await aLostOperation(shop, card, { type: "unload", cents: 500n });
    const second = await aLostOperation(shop, card, { type: "unload", cents: 500n });
    await terminateReturning(shop, card, dollars(20));
    await listAndSync("REFUND", 5);
    await Promise.all([correct(shop, first, dollars(5)), correct(shop, second, dollars(5))]);
    await syncCard(await now());
    const both = [await operationRow(shop, first.id), await operationRow(shop, second.id)];
    expect(both.map(({ status }) => status).toSorted()).toEqual(["completed", "failed"]);
    const failed = both.find(({ status }) => status === "failed");
    expect(await operatorAlertsAbout(failed?.id ?? "")).toContain("card_operation.corrected");
    expect(await gained()).toBe(worth(20 + 5));
    expect(await openItems()).toEqual([]);
    await expectInvariantsToHold();
  });

  test.each([
    ["dismiss", worth(20)],
    ["credit", worth(20)],
  ] as const)(
    "after an operator's %s, a lost unload that the issuer completed pays only what the wallet has not got",
    async (resolution, wallet) => {
      const unload = await aLostOperation(shop, card, { type: "unload", cents: 500n });
      await terminateReturning(shop, card, dollars(15));
      await endRechecks(card);
      await resolve(resolution);
      await correct(shop, unload, dollars(5));
      await syncCard(await now());
      expect(await gained()).toBe(wallet);
      expect(await openItems()).toEqual([]);
      await expectInvariantsToHold();
    },
  );

  test.each(["unload", "fund"] as const)(
    "a corrected %s closes its difference at once, also while the spend of the card cannot be read",
    async (type) => {
      const operation = await aLostOperation(shop, card, { type, cents: 500n });
      await terminateReturning(shop, card, dollars(type === "unload" ? 15 : 25));
      const silent = vi.spyOn(issuerOf(card), "listTransactions").mockResolvedValue({ status: "unknown" });
      await correct(shop, operation, type === "unload" ? dollars(5) : null);
      expect(await openItems()).toEqual([]);
      expect(await gained()).toBe(type === "unload" ? worth(20) : worth(25) - costOfFunding(5));
      silent.mockRestore();
      await syncCard(await now());
      expect(await openItems()).toEqual([]);
      expect(await gained()).toBe(type === "unload" ? worth(20) : worth(25) - costOfFunding(5));
      await expectInvariantsToHold();
    },
  );

  test("a late unload uses the dollars of a late funding at once, even while a clearing after the end is not passed on", async () => {
    const funding = await aLostOperation(shop, card, { type: "fund", cents: 1000n });
    const unload = await aLostOperation(shop, card, { type: "unload", cents: 500n });
    await terminateReturning(shop, card, dollars(25));
    const silent = vi.spyOn(issuerOf(card), "listTransactions").mockResolvedValue({ status: "unknown" });
    await correct(shop, funding, null);
    await list("CLEARING", dollars(3).minor);
    await correct(shop, unload, dollars(5));
    expect((await operationRow(shop, unload.id)).status).toBe("completed");
    expect(await gained()).toBe(worth(25 + 5) - costOfFunding(10));
    silent.mockRestore();
    await syncCard(await now());
    expect(await gained()).toBe(worth(25 + 5 - 3) - costOfFunding(10));
    expect(await openItems()).toEqual([]);
    await expectInvariantsToHold();
  });

  test.each(["credit", "dismiss"] as const)(
    "after an operator's %s, a funding that the issuer completed opens no second difference, and its dollars reach the wallet once",
    async (resolution) => {
      const funding = await aLostOperation(shop, card, { type: "fund", cents: 1000n });
      await terminateReturning(shop, card, dollars(30));
      await endRechecks(card);
      await resolve(resolution);
      await correct(shop, funding, null);
      await syncCard(await now());
      expect(await openItems()).toEqual([]);
      expect(await gained()).toBe(worth(30) - costOfFunding(10));
      await expectInvariantsToHold();
    },
  );

  test("a funding whose dollars were spent before it was corrected is charged once, in either order", async () => {
    for (const isSpendFirst of [true, false]) {
      card = await aCard(shop, { balance: 20 });
      const funding = await aLostOperation(shop, card, { type: "fund", cents: 1000n });
      atFirst = await koboIn(shop);
      await terminateReturning(shop, card, dollars(20));
      if (isSpendFirst) await listAndSync("CLEARING", 10);
      await correct(shop, funding, null);
      await syncCard(await now());
      if (!isSpendFirst) await listAndSync("CLEARING", 10);
      expect({ isSpendFirst, gained: await gained() }).toEqual({ isSpendFirst, gained: worth(20) - costOfFunding(10) });
      expect(await openItems()).toEqual([]);
      await expectInvariantsToHold();
    }
  });

  test("a clearing that the wallet had paid for is given back once, whichever of two late fundings covers it", async () => {
    const [first, second] = [
      await aLostOperation(shop, card, { type: "fund", cents: 500n }),
      await aLostOperation(shop, card, { type: "fund", cents: 500n }),
    ];
    await terminateReturning(shop, card, dollars(20));
    await listAndSync("CLEARING", 5);
    await correct(shop, first, null);
    await correct(shop, second, null);
    await syncCard(await now());
    expect(await gained()).toBe(worth(20) - 2n * costOfFunding(5));
    expect(await openItems()).toMatchObject([{ kind: "kept_by_issuer", open: dollars(5).minor }]);
    await expectInvariantsToHold();
  });

  test("a refund that a late funding frees for the wallet covers an unload, until a second late funding covers that unload", async () => {
    const [first, second] = [
      await aLostOperation(shop, card, { type: "fund", cents: 500n }),
      await aLostOperation(shop, card, { type: "fund", cents: 500n }),
    ];
    const unload = await aLostOperation(shop, card, { type: "unload", cents: 500n });
    await terminateReturning(shop, card, dollars(25));
    await endRechecks(card);
    await listAndSync("REFUND", 5);
    // The refund seemed to explain the return, which was of the first funding.
    await correct(shop, first, null);
    await correct(shop, unload, dollars(5));
    expect((await operationRow(shop, unload.id)).status).toBe("completed");
    await correct(shop, second, null);
    await syncCard(await now());
    expect(await gained()).toBe(worth(25 + 5 + 5) - 2n * costOfFunding(5));
    expect(await openItems()).toEqual([]);
    await expectInvariantsToHold();
  });

  test("an unload of dollars that spend had explained is paid in full, and the wallet pays for that spend, in either order", async () => {
    for (const isSpendFirst of [true, false]) {
      card = await aCard(shop, { balance: 20 });
      const unload = await aLostOperation(shop, card, { type: "unload", cents: 500n });
      atFirst = await koboIn(shop);
      await terminateReturning(shop, card, dollars(15));
      await endRechecks(card);
      await resolve("dismiss");
      if (isSpendFirst) await listAndSync("CLEARING", 3);
      await correct(shop, unload, dollars(5));
      await syncCard(await now());
      if (!isSpendFirst) await listAndSync("CLEARING", 3);
      expect({ isSpendFirst, gained: await gained() }).toEqual({ isSpendFirst, gained: worth(17) });
      expect(await openItems()).toEqual([]);
      await expectInvariantsToHold();
    }
  });

  test("an unload of a late funding's dollars is paid in full, and the wallet pays for spend that had used them, in either order", async () => {
    for (const isSpendFirst of [true, false]) {
      card = await aCard(shop, { balance: 20 });
      const funding = await aLostOperation(shop, card, { type: "fund", cents: 1000n });
      const unload = await aLostOperation(shop, card, { type: "unload", cents: 1000n });
      atFirst = await koboIn(shop);
      await terminateReturning(shop, card, dollars(20));
      await correct(shop, funding, null);
      if (isSpendFirst) await listAndSync("CLEARING", 10);
      await correct(shop, unload, dollars(10));
      await syncCard(await now());
      if (!isSpendFirst) await listAndSync("CLEARING", 10);
      expect({ isSpendFirst, status: (await operationRow(shop, unload.id)).status }).toEqual({ isSpendFirst, status: "completed" });
      expect({ isSpendFirst, gained: await gained() }).toEqual({ isSpendFirst, gained: worth(20) - costOfFunding(10) });
      expect(await openItems()).toEqual([]);
      await expectInvariantsToHold();
    }
  });

  test("an operator cannot settle an unload for more money than the issuer kept, and nothing is posted", async () => {
    const unload = await aLostOperation(shop, card, { type: "unload", cents: 500n });
    await terminateReturning(shop, card, dollars(17));
    const said = (taken: number) =>
      decidedByTwo((by) => settleByOperator(by, unload.id, { taken: dollars(taken), reason: "They took it." }));
    expect(await said(5)).toBe(false);
    expect(await sql()`select from audit_entries where subject = ${unload.id} and action = 'card_operation.settled'`).toEqual([]);
    expect(await recheckAtOf(unload)).not.toBeNull();
    expect(await said(3)).toBe(true);
    expect(await gained()).toBe(worth(20));
    await expectInvariantsToHold();
  });

  test("after a lost termination that the issuer completed, the wallet pays for the spend that was listed meanwhile", async () => {
    await orderFault("sandbox", "close", "hang_before", card);
    await changeCard(shop.ctx, card.id, "terminate");
    await list("CLEARING", dollars(25).minor);
    const termination = await latestOperation(shop, card.id, "terminate");
    await letTimePass(termination);
    expect((await settled(termination)).status).toBe("failed");
    vi.spyOn(issuerOf(card), "readCard").mockResolvedValue({ status: "unknown" });
    await correct(shop, termination, dollars(0));
    await until(async () => isQuiet(await now()));
    expect(await gained()).toBe(-worth(5));
    expect(await openItems()).toEqual([]);
    vi.restoreAllMocks();
    await expectInvariantsToHold();
  });

  test("an authorization that expired after a lost termination explains none of the money that the issuer kept", async () => {
    const termination = await aLostOperation(shop, card, { type: "terminate" });
    await list("AUTHORIZATION", dollars(5).minor);
    await sql()`update card_transactions set occurred_at = occurred_at - interval '30 days' where card_id = ${card.id}`;
    await releaseExpiredAuthorizations(ctx);
    expect((await now()).balance).toEqual(dollars(20));
    vi.spyOn(issuerOf(card), "readCard").mockResolvedValue({ status: "unknown" });
    await correct(shop, termination, dollars(15));
    await syncCard(await now()).catch(() => undefined);
    vi.restoreAllMocks();
    await until(async () => isQuiet(await now()));
    expect(await gained()).toBe(worth(15));
    expect(await openItems()).toMatchObject([{ kind: "kept_by_issuer", open: dollars(5).minor }]);
    await listAndSync("CLEARING", 5);
    expect(await openItems()).toEqual([]);
    expect(await gained()).toBe(worth(15));
    await expectInvariantsToHold();
  });

  test("a lost termination that the issuer completed does not count earlier spend as late", async () => {
    await listAndSync("CLEARING", 5);
    const termination = await aLostOperation(shop, card, { type: "terminate" });
    // Of another millisecond than the operation.
    await sql()`update card_transactions set created_at = created_at - interval '1 minute' where card_id = ${card.id}`;
    await list("CLEARING", dollars(2).minor);
    vi.spyOn(issuerOf(card), "readCard").mockResolvedValue({ status: "unknown" });
    await correct(shop, termination, dollars(18));
    vi.restoreAllMocks();
    await until(async () => isQuiet(await now()));
    // The wallet has the $15 of before, less the $2 of after. That the issuer returned $3 more is explained by nothing.
    expect(await gained()).toBe(worth(13));
    expect(await openItems()).toMatchObject([{ kind: "returned_by_issuer", open: dollars(3).minor }]);
    await expectInvariantsToHold();
  });

  test("an unload that only a refund would cover waits for the funding that may have put its dollars on the card", async () => {
    const funding = await aLostOperation(shop, card, { type: "fund", cents: 500n });
    const unload = await aLostOperation(shop, card, { type: "unload", cents: 500n });
    await terminateReturning(shop, card, dollars(20));
    await listAndSync("REFUND", 5);
    await correct(shop, unload, dollars(5));
    expect(await operationRow(shop, unload.id)).toMatchObject({ status: "failed", recheckAt: expect.any(Date) });
    expect(await gained()).toBe(worth(20 + 5));
    await correct(shop, funding, null);
    await correct(shop, unload, dollars(5));
    await syncCard(await now());
    expect((await operationRow(shop, unload.id)).status).toBe("completed");
    expect(await gained()).toBe(worth(20 + 5 + 5) - costOfFunding(5));
    expect(await openItems()).toEqual([]);
    await expectInvariantsToHold();
  });

  test("two late unloads take back only their own amounts of differences that an operator credited", async () => {
    const funding = await aLostOperation(shop, card, { type: "fund", cents: 500n });
    const [first, second] = [
      await aLostOperation(shop, card, { type: "unload", cents: 500n }),
      await aLostOperation(shop, card, { type: "unload", cents: 500n }),
    ];
    await terminateReturning(shop, card, dollars(15));
    await endRechecks(card);
    await resolve("credit");
    await correct(shop, funding, null);
    await syncCard(await now());
    await resolve("credit");
    for (const unload of [first, second]) {
      await correct(shop, unload, dollars(5));
      expect((await operationRow(shop, unload.id)).status).toBe("completed");
      expect(await gained()).toBe(worth(15 + 5 + 5) - costOfFunding(5));
    }
    expect(await openItems()).toEqual([]);
    await expectInvariantsToHold();
  });

  test("an operator cannot resolve a difference while spend of its card is not passed on", async () => {
    await terminateReturning(shop, card, dollars(10));
    const [item] = await openItems();
    await list("CLEARING", dollars(10).minor);
    expect(await decidedByTwo((by) => resolveItem(by, item?.id ?? "", "credit", "By guess."))).toBe(false);
    await syncCard(await now());
    expect(await openItems()).toEqual([]);
    expect(await gained()).toBe(worth(10));
    expect(await accountBalance(shop.merchant.id, "suspense:issuer")).toBe(0n);
  });
});

describe("no re-check goes on for ever", () => {
  test("a lost termination that completed after the card's end alerts operators, ends its re-checks, and can then be resolved", async () => {
    const lost = await aLostOperation(shop, card, { type: "terminate" });
    await terminateReturning(shop, card, dollars(0));
    expect(await recheckAtOf(lost)).not.toBeNull();
    await correct(shop, lost, dollars(20));
    expect(await recheckAtOf(lost)).toBeNull();
    expect(await operatorAlertsAbout(lost.id)).toContain("card_operation.corrected");
    await resolve("credit");
    expect(await gained()).toBe(worth(20));
    await expectInvariantsToHold();
  });

  test("re-checks without an answer for two days alert operators, who can end them", async () => {
    const lost = await aLostOperation(shop, card, { type: "unload", cents: 500n });
    await terminateReturning(shop, card, dollars(15));
    await sql()`update card_operations set created_at = created_at - interval '49 hours' where id = ${lost.id}`;
    await alertOnUndecidedOperations(ctx);
    expect(await operatorAlertsAbout(lost.id)).toContain("card_operation.undecided");
    expect(await decidedByTwo((by) => settleByOperator(by, lost.id, { taken: null, reason: "It failed already." }))).toBe(false);
    expect(await recheckAtOf(lost)).not.toBeNull();
    const ended = await Promise.all(times(5, () => stopRechecks(anOperator, lost.id, "The issuer has no trace of it.")));
    expect(ended.filter(Boolean)).toEqual([true]);
    expect(await recheckAtOf(lost)).toBeNull();
    const audited = await sql()`select reason from audit_entries where subject = ${lost.id} and action = 'card_operation.rechecks_stopped'`;
    expect(audited).toEqual([{ reason: "The issuer has no trace of it." }]);
    await resolve("dismiss");
    expect(await gained()).toBe(worth(15));
    await expectInvariantsToHold();
  });

  test("a re-check that was running when an operator ended the re-checks does not begin them again", async () => {
    const lost = await aLostOperation(shop, card, { type: "unload", cents: 500n });
    await sweeps.without(async () => {
      await sql()`update card_operations set recheck_at = now() - interval '1 second' where id = ${lost.id}`;
      const issuer = issuerOf(card);
      const really = issuer.readOperation.bind(issuer);
      let isStopped = false;
      const read = vi.spyOn(issuer, "readOperation").mockImplementation(async (asked) => {
        if (asked.reference !== lost.reference) return really(asked);
        isStopped = await stopRechecks(anOperator, lost.id, "The issuer has no trace of it.");
        return { status: "not_found" };
      });
      await recheckLostOperations(ctx);
      read.mockRestore();
      expect(isStopped).toBe(true);
      expect(await recheckAtOf(lost)).toBeNull();
    });
  });

  test("an unload that an operator settled as not executed is re-checked, and paid once the issuer shows that it was", async () => {
    await orderFault("sandbox", "unload", "error_after", card);
    const silent = vi.spyOn(issuerOf(card), "readOperation").mockResolvedValue({ status: "unknown" });
    const { id } = await unloadCard(shop.ctx, card.id, { amount: dollars(5) });
    expect(await decidedByTwo((by) => settleByOperator(by, id, { taken: null, reason: "The issuer says that it did nothing." }))).toBe(
      true,
    );
    expect(await operationRow(shop, id)).toMatchObject({ status: "failed", recheckAt: expect.any(Date) });
    silent.mockRestore();
    await sql()`update card_operations set recheck_at = now() - interval '1 second' where id = ${id}`;
    await recheckLostOperations(ctx);
    await until(async () => (await operationRow(shop, id)).status === "completed");
    expect(await gained()).toBe(worth(5));
    await expectInvariantsToHold();
  });
});
