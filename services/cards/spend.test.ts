import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { dollars, money } from "#lib/money.ts";
import type { SpendTransaction } from "#providers/issuer.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { systemContext } from "../context.ts";
import type { TestMerchant } from "../merchants/merchant.fixture.ts";
import { issuers } from "../providers/index.ts";
import { aCard, aCardMerchant, readTestCard, spendRow, type TestCard } from "./cards.fixture.ts";
import { listCardTransactions } from "./list-transactions.ts";
import { recordTransaction } from "./record-transaction.ts";
import { releaseExpiredAuthorizations } from "./release-expired.ts";
import { syncCard } from "./sync-cards.ts";

withDatabase();
withApp();
withCardSweeps();

let shop: TestMerchant;
let card: TestCard;

/** Rows in the order in which they happened: clearings and reversals follow one of those before them. */
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

/** US cents that a tree of spend takes off its card. */
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

describe("spend that is told in an odd way", () => {
  beforeEach(async () => {
    shop = await aCardMerchant();
    card = await aCard(shop, { balance: 100 });
  });
  const tell = (type: SpendTransaction["type"], transactionReference: string, amount: number, relatedReference: string | null = null) =>
    recordTransaction(card, spendRow({ transactionReference, type, amount: dollars(amount), relatedReference }));
  const balance = async () => (await readTestCard(shop, card.id)).balance;
  const statuses = async () =>
    (await listCardTransactions(shop.ctx, card.id, { limit: 10 })).items.map(({ type, status }) => `${type} ${status}`);

  test("a clearing that comes before its authorization takes the money once", async () => {
    await tell("CLEARING", "c1", 30, "a1");
    await tell("AUTHORIZATION", "a1", 40);
    expect(await balance()).toEqual(dollars(60));
    await tell("REVERSAL", "r1", 10, "a1");
    expect(await balance()).toEqual(dollars(70));
    await expectInvariantsToHold();
  });

  test("a reversal of more than is open gives back what is open, and nobody is credited by guess", async () => {
    await tell("AUTHORIZATION", "a1", 30);
    await tell("CLEARING", "c1", 20, "a1");
    await tell("REVERSAL", "r1", 30, "a1");
    expect(await balance()).toEqual(dollars(80));
    await tell("REVERSAL", "r2", 5, "of nothing that we know");
    expect(await balance()).toEqual(dollars(80));
    await tell("REVERSAL", "r3", 20, "c1");
    expect(await balance()).toEqual(dollars(100));
    expect(await statuses()).toContain("AUTHORIZATION COMPLETED");
    await expectInvariantsToHold();
  });

  test("clearings that follow each other belong to one authorization, and beyond it are taken on their own", async () => {
    await tell("AUTHORIZATION", "a1", 30);
    await tell("CLEARING", "c1", 20, "a1");
    await tell("CLEARING", "c2", 15, "c1");
    expect(await balance()).toEqual(dollars(65));
    await expectInvariantsToHold();
  });

  test("a look whether the card is alive, over nothing, is recorded and moves nothing", async () => {
    await tell("AUTHORIZATION", "a0", 0);
    await tell("CLEARING", "c0", 0, "a0");
    await tell("AUTHORIZATION", "a1", 1);
    expect(await balance()).toEqual(dollars(99));
    expect(await statuses()).toHaveLength(3);
    await expectInvariantsToHold();
  });

  test("reversals of one clearing give back what was cleared, and no cent more, however many there are and at once", async () => {
    await tell("AUTHORIZATION", "a1", 30);
    await tell("CLEARING", "c1", 30, "a1");
    await Promise.all([1, 2, 3, 4].map((n) => tell("REVERSAL", `r${n}`, 20, "c1")));
    expect(await balance()).toEqual(dollars(100));
    await tell("FEE", "f1", 5);
    await tell("REVERSAL", "r5", 5, "f1");
    await tell("REVERSAL", "r6", 5, "f1");
    expect(await balance()).toEqual(dollars(100));
    await expectInvariantsToHold();
  });

  test("a reversal that is listed before its clearing, and clearings before the one they follow, come out as in their order", async () => {
    await tell("REVERSAL", "r1", 10, "c1");
    await tell("CLEARING", "c2", 5, "c1");
    expect(await balance()).toEqual(dollars(95));
    await tell("AUTHORIZATION", "a1", 40);
    await tell("CLEARING", "c1", 20, "a1");
    // 20 are cleared and 10 of them given back, 5 are cleared after them, and 15 are open.
    expect(await balance()).toEqual(dollars(70));
    await tell("REVERSAL", "r2", 15, "c1");
    expect(await balance()).toEqual(dollars(80));
    await expectInvariantsToHold();
  });

  test("a clearing over nothing, between two others, frees what the second has taken on its own", async () => {
    await tell("AUTHORIZATION", "a1", 30);
    await tell("CLEARING", "c2", 10, "c1");
    await tell("CLEARING", "c1", 0, "a1");
    expect(await balance()).toEqual(dollars(70));
    await tell("CLEARING", "c3", 20, "a1");
    expect(await balance()).toEqual(dollars(70));
    await expectInvariantsToHold();
  });

  test("a tree of spend ends the same in whatever order it is listed, also all at once", async () => {
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

  test("a row that cannot be recorded is quarantined, told to operators, and holds up no other", async () => {
    const issuer = issuers.named("sandbox");
    if (!issuer) throw new Error("no issuer");
    const row = (transactionReference: string, minor: bigint) =>
      spendRow({ transactionReference, type: "FEE", amount: money(minor, "USD") });
    const unreadable = [{ reference: "of a new kind", fields: ["kind"] }];
    const transactions = [row("f2", 200n), row("broken", -100n), row("huge", 10n ** 30n), row("f1", 100n)];
    const listing = vi.spyOn(issuer, "listTransactions").mockResolvedValue({ status: "found", transactions, unreadable, nextPage: null });
    await syncCard(card);
    await syncCard(card);
    listing.mockRestore();
    expect(await balance()).toEqual(dollars(97));
    expect(await sql()`select 1 from quarantined_spend where card_id = ${card.id}`).toHaveLength(3);
    const told = await sql()`select 1 from alerts where type = 'card_spend.quarantined' and resource_id = ${card.id}`;
    expect(told).toHaveLength(3);
    await expectInvariantsToHold();
  });

  test("a row that an adapter could not read is recorded once it can, and leaves the quarantine", async () => {
    const issuer = issuers.named("sandbox");
    if (!issuer) throw new Error("no issuer");
    const unreadable = [{ reference: "f1", fields: ["kind"] }];
    const listing = vi
      .spyOn(issuer, "listTransactions")
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

  test("an authorization that is not cleared in the issuer's term is given back once; a clearing after that takes it again", async () => {
    await tell("AUTHORIZATION", "a1", 30);
    await tell("AUTHORIZATION", "a2", 40);
    await tell("CLEARING", "c2", 10, "a2");
    const passDays = (days: number) =>
      sql()`update card_transactions set occurred_at = occurred_at - ${days} * interval '1 day' where card_id = ${card.id}`;
    await passDays(7);
    expect(await releaseExpiredAuthorizations(systemContext("test"))).toBe(0);
    await passDays(2);
    await Promise.all([releaseExpiredAuthorizations(systemContext("test")), releaseExpiredAuthorizations(systemContext("test"))]);
    expect(await balance()).toEqual(dollars(90));
    expect(await statuses()).toEqual(["CLEARING COMPLETED", "AUTHORIZATION COMPLETED", "AUTHORIZATION REVERSED"]);
    await expectInvariantsToHold();
    await tell("CLEARING", "c1", 25, "a1");
    expect(await balance()).toEqual(dollars(65));
    await expectInvariantsToHold();
  });

  test("an authorization that goes back as a whole was reversed", async () => {
    await tell("AUTHORIZATION", "a1", 30);
    await tell("REVERSAL", "r1", 10, "a1");
    expect(await statuses()).toEqual(["REVERSAL COMPLETED", "AUTHORIZATION PENDING"]);
    await tell("REVERSAL", "r2", 20, "a1");
    expect((await statuses()).at(-1)).toBe("AUTHORIZATION REVERSED");
    expect(await balance()).toEqual(dollars(100));
  });
});
