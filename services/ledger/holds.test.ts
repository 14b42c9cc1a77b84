import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { SUSPENSE, type Transfer, WALLET } from "./index.ts";
import { accountOf, aWallet, hold, kobo, newKey, post, rejectionOf, spend } from "./ledger.fixture.ts";

withDatabase();

describe("a hold", () => {
  test("sets money aside, and a capture takes a part of it and gives the rest back", async () => {
    const id = await aWallet(1_000n);
    await post(id, hold(600n, "h"));
    expect(await accountOf(id, WALLET)).toEqual({ posted: 1_000n, held: 600n, available: 1_000n - 600n });
    await post(id, { kind: "capture", key: "c", target: "h", amount: kobo(450) });
    expect(await accountOf(id, WALLET)).toEqual({ posted: 1_000n - 450n, held: 0n, available: 1_000n - 450n });
    await expectInvariantsToHold();
  });

  test("is resolved once by twenty captures and releases at once", async () => {
    const id = await aWallet(1_000n);
    await post(id, hold(600n, "h"));
    const results = await Promise.all(
      times(20, (i) => post(id, i % 2 ? { kind: "capture", key: `r${i}`, target: "h" } : { kind: "release", key: `r${i}`, target: "h" })),
    );
    expect(results.flat().filter(({ result }) => result === "posted")).toHaveLength(1);
    expect(results.flat().filter(({ rejection }) => rejection === "HOLD_RESOLVED")).toHaveLength(19);
    expect((await accountOf(id, WALLET)).held).toBe(0n);
    await expectInvariantsToHold();
  });

  test("cannot be captured beyond its amount, and a posting cannot be captured at all", async () => {
    const id = await aWallet(1_000n);
    await post(id, hold(600n, "h"), spend(100n, "p"));
    expect(await rejectionOf(id, { kind: "capture", key: newKey(), target: "h", amount: kobo(601) })).toBe("EXCEEDS_HOLD");
    expect(await rejectionOf(id, { kind: "capture", key: newKey(), target: "p" })).toBe("NOT_A_HOLD");
    expect(await rejectionOf(id, { kind: "release", key: newKey(), target: "nothing" })).toBe("TARGET_NOT_FOUND");
    expect((await accountOf(id, WALLET)).held).toBe(600n);
  });
});

describe("many holds, captures and releases in one call", () => {
  const EARLIER_HOLDS = [100n, 100n, 50n, 1n];

  /** A batch of transfers on the earlier holds and on holds of the batch itself. Some of them must be refused. */
  const aBatch = (round: string): fc.Arbitrary<Transfer[]> =>
    fc
      .array(
        fc.oneof(
          fc.record({ kind: fc.constant("hold" as const), n: fc.nat(8), amount: fc.integer({ min: 0, max: 400 }) }),
          fc.record({ kind: fc.constant("capture" as const), n: fc.nat(11), amount: fc.option(fc.integer({ min: 0, max: 130 })) }),
          fc.record({ kind: fc.constant("release" as const), n: fc.nat(11) }),
          fc.record({ kind: fc.constant("post" as const), amount: fc.integer({ min: 1, max: 50 }) }),
        ),
        { minLength: 2, maxLength: 8 },
      )
      .map((steps) =>
        steps.map((step, position): Transfer => {
          const key = `${round}:${position}`;
          // Targets 0 to 3 are the earlier holds. The others are positions of this batch, which may or may not be holds.
          const target = (n: number) => (n < EARLIER_HOLDS.length ? `before:${n}` : `${round}:${n - EARLIER_HOLDS.length}`);
          switch (step.kind) {
            case "hold":
              return hold(BigInt(step.amount), step.n === 8 ? `before:0` : key);
            case "capture":
              return { kind: "capture", key, target: target(step.n), ...(step.amount !== null && { amount: kobo(step.amount) }) };
            case "release":
              return { kind: "release", key, target: target(step.n) };
            default:
              return spend(BigInt(step.amount), key);
          }
        }),
      );

  const aWalletWithHolds = async () => {
    const id = await aWallet(1_000n);
    await post(id, ...EARLIER_HOLDS.map((amount, n) => hold(amount, `before:${n}`)));
    return id;
  };

  test("have the same results, entries and balances as the same transfers one by one", async () => {
    await fc.assert(
      fc.asyncProperty(aBatch("t"), async (batch) => {
        const [together, alone] = await Promise.all([aWalletWithHolds(), aWalletWithHolds()]);
        const results = (await post(together, ...batch)).map(({ transferId: _id, ...rest }) => rest);
        const singly: unknown[] = [];
        for (const transfer of batch) singly.push(...(await post(alone, transfer)).map(({ transferId: _id, ...rest }) => rest));
        expect(results).toEqual(singly);
        for (const account of [WALLET, SUSPENSE]) {
          const entries = (merchantId: string) => sql()`
            select e.seq, e.side, e.posted, e.pending, e.balance_after, t.key, t.kind, t.amount, t.meta, r.key as resolves from ledger_entries e
            join ledger_transfers t on t.merchant_id = e.merchant_id and t.id = e.transfer_id
            left join ledger_transfers r on r.merchant_id = t.merchant_id and r.id = t.resolves_id
            where e.merchant_id = ${merchantId} and e.account = ${account} and t.key not like 'test:%' order by e.seq`;
          expect(await entries(together)).toEqual(await entries(alone));
          expect(await accountOf(together, account)).toEqual(await accountOf(alone, account));
        }
      }),
      { numRuns: 150 },
    );
    await expectInvariantsToHold();
  }, 400_000);

  test("are refused one by one: a refused one does not stop the others", async () => {
    const id = await aWalletWithHolds();
    const results = await post(
      id,
      hold(1n),
      { kind: "capture", key: newKey(), target: "before:2", amount: kobo(51) },
      { kind: "release", key: newKey(), target: "before:0" },
    );
    expect(results.map(({ rejection }) => rejection)).toEqual([null, "EXCEEDS_HOLD", null]);
    const heldBefore = EARLIER_HOLDS.reduce((sum, each) => sum + each, 0n);
    expect((await accountOf(id, WALLET)).held).toBe(heldBefore + 1n - 100n);
    await expectInvariantsToHold();
  });

  test("of 100 kobo each, of which the wallet covers thirty-one, are refused from the thirty-second on", async () => {
    const id = await aWallet(31n * 100n);
    const results = await post(id, ...Array.from({ length: 32 }, () => hold(100n)));
    expect(results.map(({ rejection }) => rejection)).toEqual([...Array(31).fill(null), "INSUFFICIENT_FUNDS"]);
    await expectInvariantsToHold();
  });
});
