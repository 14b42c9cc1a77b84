import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { dollars, money } from "#lib/money.ts";
import type { SpendTransaction } from "#providers/issuer.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { systemContext } from "../../context.ts";
import type { TestMerchant } from "../../merchants/merchant.fixture.ts";
import { aCard, aCardMerchant, issuerOf, readTestCard, spendRow, type TestCard } from "../cards.fixture.ts";
import { syncCard } from "../sync/sync-cards.ts";
import { listCardTransactions } from "./list-transactions.ts";
import { recordNewSpend, SpendUnreadable } from "./record-new-spend.ts";
import { recordTransaction } from "./record-transaction.ts";
import { releaseExpiredAuthorizations } from "./release-expired.ts";

withDatabase();
withApp();
withCardSweeps();

let shop: TestMerchant;
let card: TestCard;

/** Returns rows of spend in the order in which they happened. A clearing or a reversal follows one of the rows before it. */
function treeOf(name: string, nodes: { type: string; parent: number; cents: number }[]): SpendTransaction[] {
  const rows: SpendTransaction[] = [];
  for (const [i, { type, parent, cents }] of nodes.entries()) {
    const parents = rows.filter((row) => ["AUTHORIZATION", "CLEARING", "FEE"].includes(row.type));
    const follows = type === "CLEARING" || type === "REVERSAL" ? parents[parent % (parents.length || 1)] : undefined;
    rows.push(
      spendRow({
        transactionReference: `${name}-${i}`,
        type: type as SpendTransaction["type"],
        amount: money(BigInt(cents), "USD"),
        relatedReference: follows?.transactionReference ?? null,
      }),
    );
  }
  return rows;
}

/** Returns the US cents that a tree of spend takes off its card. */
function takenBy(rows: SpendTransaction[]): bigint {
  const byName = new Map(rows.map((row) => [row.transactionReference, row]));
  const sum = (some: SpendTransaction[]) => some.reduce((cents, { amount }) => cents + amount.minor, 0n);
  const followed = (row: SpendTransaction) => byName.get(row.relatedReference ?? "");
  const rootOf = (row: SpendTransaction): SpendTransaction => {
    const parent = followed(row);
    return row.type === "CLEARING" && parent ? rootOf(parent) : row;
  };
  const reversed = (row: SpendTransaction) => sum(rows.filter((each) => each.type === "REVERSAL" && followed(each) === row));
  const above = (cents: bigint) => (cents > 0n ? cents : 0n);
  return rows.reduce((taken, row) => {
    const { minor } = row.amount;
    switch (row.type) {
      case "REFUND":
        return taken - minor;
      case "CLEARING":
      case "FEE":
        return taken + above(minor - reversed(row));
      case "AUTHORIZATION":
        return taken + above(minor - reversed(row) - sum(rows.filter((each) => each.type === "CLEARING" && rootOf(each) === row)));
      default:
        return taken;
    }
  }, 0n);
}

describe("spend in an unusual order or form", () => {
  beforeEach(async () => {
    shop = await aCardMerchant();
    card = await aCard(shop, { balance: 100 });
  });
  const list = (type: SpendTransaction["type"], transactionReference: string, amount: number, relatedReference: string | null = null) =>
    recordTransaction(card, spendRow({ transactionReference, type, amount: dollars(amount), relatedReference }));
  const balance = async () => (await readTestCard(shop, card.id)).balance;
  const statuses = async () =>
    (await listCardTransactions(shop.ctx, card.id, { limit: 10 })).items.map(({ type, status }) => `${type} ${status}`);

  test("a clearing that comes before its authorization takes the money once", async () => {
    await list("CLEARING", "c1", 30, "a1");
    await list("AUTHORIZATION", "a1", 40);
    expect(await balance()).toEqual(dollars(60));
    await list("REVERSAL", "r1", 10, "a1");
    expect(await balance()).toEqual(dollars(70));
    await expectInvariantsToHold();
  });

  test("a reversal of more than is open gives back the open amount, and a reversal of unknown spend credits nothing", async () => {
    await list("AUTHORIZATION", "a1", 30);
    await list("CLEARING", "c1", 20, "a1");
    await list("REVERSAL", "r1", 30, "a1");
    expect(await balance()).toEqual(dollars(80));
    await list("REVERSAL", "r2", 5, "of unknown spend");
    expect(await balance()).toEqual(dollars(80));
    await list("REVERSAL", "r3", 20, "c1");
    expect(await balance()).toEqual(dollars(100));
    expect(await statuses()).toContain("AUTHORIZATION COMPLETED");
    await expectInvariantsToHold();
  });

  test("clearings that follow each other belong to one authorization, and the card pays the amount beyond it", async () => {
    await list("AUTHORIZATION", "a1", 30);
    await list("CLEARING", "c1", 20, "a1");
    await list("CLEARING", "c2", 15, "c1");
    expect(await balance()).toEqual(dollars(65));
    await expectInvariantsToHold();
  });

  test("an authorization of $0, by which a shop checks a card, is recorded and moves nothing", async () => {
    await list("AUTHORIZATION", "a0", 0);
    await list("CLEARING", "c0", 0, "a0");
    await list("AUTHORIZATION", "a1", 1);
    expect(await balance()).toEqual(dollars(99));
    expect(await statuses()).toHaveLength(3);
    await expectInvariantsToHold();
  });

  test("reversals of one clearing give back the cleared amount and no cent more, even if many arrive at once", async () => {
    await list("AUTHORIZATION", "a1", 30);
    await list("CLEARING", "c1", 30, "a1");
    await Promise.all([1, 2, 3, 4].map((n) => list("REVERSAL", `r${n}`, 20, "c1")));
    expect(await balance()).toEqual(dollars(100));
    await list("FEE", "f1", 5);
    await list("REVERSAL", "r5", 5, "f1");
    await list("REVERSAL", "r6", 5, "f1");
    expect(await balance()).toEqual(dollars(100));
    await expectInvariantsToHold();
  });

  test("a reversal listed before its clearing, and a clearing listed before the one that it follows, end as if listed in order", async () => {
    await list("REVERSAL", "r1", 10, "c1");
    await list("CLEARING", "c2", 5, "c1");
    expect(await balance()).toEqual(dollars(95));
    await list("AUTHORIZATION", "a1", 40);
    await list("CLEARING", "c1", 20, "a1");
    // $20 is cleared and $10 of it given back, another $5 is cleared, and $15 is open.
    expect(await balance()).toEqual(dollars(70));
    await list("REVERSAL", "r2", 15, "c1");
    expect(await balance()).toEqual(dollars(80));
    await expectInvariantsToHold();
  });

  test("a clearing of $0 between an authorization and a clearing lets the authorization cover that clearing", async () => {
    await list("AUTHORIZATION", "a1", 30);
    await list("CLEARING", "c2", 10, "c1");
    await list("CLEARING", "c1", 0, "a1");
    expect(await balance()).toEqual(dollars(70));
    await list("CLEARING", "c3", 20, "a1");
    expect(await balance()).toEqual(dollars(70));
    await expectInvariantsToHold();
  });

  test("a tree of spend ends the same in any order in which it is listed, and all at once", async () => {
    const node = fc.record({
      type: fc.constantFrom("AUTHORIZATION", "CLEARING", "CLEARING", "REVERSAL", "FEE", "REFUND"),
      parent: fc.nat(),
      cents: fc.nat(30),
    });
    const tree = fc.array(node, { minLength: 1, maxLength: 7 }).chain((others) => {
      const nodes = [{ type: "AUTHORIZATION", parent: 0, cents: 25 }, ...others];
      return fc.record({
        nodes: fc.constant(nodes),
        order: fc.shuffledSubarray([...nodes.keys()], { minLength: nodes.length }),
        isAtOnce: fc.boolean(),
      });
    });
    let n = 0;
    await fc.assert(
      fc.asyncProperty(tree, async ({ nodes, order, isAtOnce }) => {
        const rows = treeOf(`tree-${n++}`, nodes);
        const before = (await balance()).minor;
        const listed = order.map((i) => rows[i]).filter((row) => row !== undefined);
        if (isAtOnce) await Promise.all(listed.map((row) => recordTransaction(card, row)));
        else for (const row of listed) await recordTransaction(card, row);
        expect(before - (await balance()).minor).toBe(takenBy(rows));
      }),
      { numRuns: 60 },
    );
    await expectInvariantsToHold();
  });

  test("a row that cannot be recorded is quarantined, alerts operators, and delays no other row", async () => {
    const row = (transactionReference: string, minor: bigint) =>
      spendRow({ transactionReference, type: "FEE", amount: money(minor, "USD") });
    const unreadable = [{ reference: "of a new kind", fields: ["kind"] }];
    const transactions = [row("f2", 200n), row("broken", -100n), row("huge", 10n ** 30n), row("f1", 100n)];
    const listing = vi
      .spyOn(issuerOf(card), "listTransactions")
      .mockResolvedValue({ status: "found", transactions, unreadable, nextPage: null });
    await syncCard(card);
    await syncCard(card);
    listing.mockRestore();
    expect(await balance()).toEqual(dollars(97));
    expect(await sql()`select 1 from quarantined_spend where card_id = ${card.id}`).toHaveLength(3);
    const alerts = await sql()`select 1 from alerts where type = 'card_spend.quarantined' and resource_id = ${card.id}`;
    expect(alerts).toHaveLength(3);
    await expectInvariantsToHold();
  });

  test("references too long to record are quarantined once each, also if they differ only at their end", async () => {
    const transactions = ["A", "B"].map((end) =>
      spendRow({ transactionReference: `${"x".repeat(600)}${end}`, type: "FEE", amount: dollars(1) }),
    );
    const listing = vi
      .spyOn(issuerOf(card), "listTransactions")
      .mockImplementation(async (_card, page) => ({ status: "found", transactions, unreadable: [], nextPage: page === null ? "2" : null }));
    await recordNewSpend(issuerOf(card), card);
    listing.mockClear();
    await recordNewSpend(issuerOf(card), card);
    // The first page has nothing new, so no other page is read.
    expect(listing).toHaveBeenCalledTimes(1);
    listing.mockRestore();
    expect(await sql()`select 1 from quarantined_spend where card_id = ${card.id}`).toHaveLength(2);
    expect(await sql()`select 1 from alerts where type = 'card_spend.quarantined' and resource_id = ${card.id}`).toHaveLength(2);
    expect(await balance()).toEqual(dollars(100));
  });

  test("a whole read ends at an empty page, even if the issuer names a further page after it", async () => {
    let pages = 0;
    const listing = vi
      .spyOn(issuerOf(card), "listTransactions")
      .mockImplementation(async () => ({ status: "found", transactions: [], unreadable: [], nextPage: String(++pages) }));
    await recordNewSpend(issuerOf(card), { ...card, spendReadAt: null });
    listing.mockRestore();
    expect(pages).toBe(1);
  });

  test("if a page cannot be read, spend on the pages before it is recorded, and the read counts as failed", async () => {
    const transactions = [spendRow({ transactionReference: "before", type: "REFUND", amount: dollars(2) })];
    const listing = vi
      .spyOn(issuerOf(card), "listTransactions")
      .mockImplementation(async (_card, page) =>
        page === null ? { status: "found", transactions, unreadable: [], nextPage: "2" } : { status: "unknown" },
      );
    const readAtOf = async () => (await readTestCard(shop, card.id)).spendReadAt;
    const readAt = await readAtOf();
    await expect(recordNewSpend(issuerOf(card), { ...card, spendReadAt: null })).rejects.toThrow(SpendUnreadable);
    listing.mockRestore();
    expect(await balance()).toEqual(dollars(102));
    expect(await readAtOf()).toEqual(readAt);
  });

  test("a row whose time lies outside this century is quarantined, and the other rows are recorded", async () => {
    const transactions = [
      spendRow({ transactionReference: "good", type: "REFUND", amount: dollars(2) }),
      spendRow({ transactionReference: "odd", type: "REFUND", amount: dollars(1), occurredAt: new Date(Date.now() * 1_000) }),
    ];
    const listing = vi
      .spyOn(issuerOf(card), "listTransactions")
      .mockResolvedValue({ status: "found", transactions, unreadable: [], nextPage: null });
    await recordNewSpend(issuerOf(card), card);
    listing.mockRestore();
    expect(await balance()).toEqual(dollars(100 + 2));
    expect(await sql()`select 1 from quarantined_spend where card_id = ${card.id}`).toHaveLength(1);
  });

  test("a row that an adapter could not read is recorded once the adapter reads it, and leaves the quarantine", async () => {
    const unreadable = [{ reference: "f1", fields: ["kind"] }];
    const listing = vi
      .spyOn(issuerOf(card), "listTransactions")
      .mockResolvedValue({ status: "found", transactions: [], unreadable, nextPage: null });
    await syncCard(card);
    expect(await balance()).toEqual(dollars(100));
    const transactions = [spendRow({ transactionReference: "f1", type: "FEE", amount: dollars(3) })];
    listing.mockResolvedValue({ status: "found", transactions, unreadable: [], nextPage: null });
    await Promise.all([syncCard(card), syncCard(card)]);
    listing.mockRestore();
    expect(await balance()).toEqual(dollars(97));
    expect(await sql()`select 1 from quarantined_spend where card_id = ${card.id}`).toHaveLength(0);
    await expectInvariantsToHold();
  });

  test("an authorization that is not cleared within the issuer's term is released once, and a later clearing takes the money again", async () => {
    await list("AUTHORIZATION", "a1", 30);
    await list("AUTHORIZATION", "a2", 40);
    await list("CLEARING", "c2", 10, "a2");
    const passDays = (days: number) =>
      sql()`update card_transactions set occurred_at = occurred_at - ${days} * interval '1 day' where card_id = ${card.id}`;
    await passDays(7);
    expect(await releaseExpiredAuthorizations(systemContext("test"))).toBe(0);
    await passDays(2);
    await Promise.all([releaseExpiredAuthorizations(systemContext("test")), releaseExpiredAuthorizations(systemContext("test"))]);
    expect(await balance()).toEqual(dollars(90));
    expect(await statuses()).toEqual(["CLEARING COMPLETED", "AUTHORIZATION COMPLETED", "AUTHORIZATION REVERSED"]);
    await expectInvariantsToHold();
    await list("CLEARING", "c1", 25, "a1");
    expect(await balance()).toEqual(dollars(65));
    await expectInvariantsToHold();
  });

  test("an authorization becomes REVERSED only when reversals have given back all of it", async () => {
    await list("AUTHORIZATION", "a1", 30);
    await list("REVERSAL", "r1", 10, "a1");
    expect(await statuses()).toEqual(["REVERSAL COMPLETED", "AUTHORIZATION PENDING"]);
    await list("REVERSAL", "r2", 20, "a1");
    expect((await statuses()).at(-1)).toBe("AUTHORIZATION REVERSED");
    expect(await balance()).toEqual(dollars(100));
  });
});
