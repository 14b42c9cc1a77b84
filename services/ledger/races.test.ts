import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "#db/client.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { isLockAwaited } from "#testing/locks.ts";
import { times, until } from "#testing/until.ts";
import { FX_NGN, postTransfers, SETTLEMENT_BANK, type Transfer, type TransferResult, WALLET } from "./index.ts";
import { accountOf, aWallet, fund, hold, kobo, newKey, post, spend } from "./ledger.fixture.ts";

withDatabase();

test("two hundred spends at once from a wallet that covers 120 pass exactly 120 times", async () => {
  const id = await aWallet(120n * 500n);
  const results = await Promise.all(times(200, () => post(id, spend(500n))));
  expect(results.flat().filter(({ result }) => result === "posted")).toHaveLength(120);
  expect(await accountOf(id, WALLET)).toEqual({ posted: 0n, held: 0n, available: 0n });
  await expectInvariantsToHold();
});

test("an invalid transfer whose key another request uses at the same time is refused as KEY_REUSED, and gets no part of the other's result", async () => {
  const id = await aWallet();
  const invalid: Transfer = { kind: "post", key: "shared", debit: "nowhere", credit: "nobody", amount: kobo(1) };
  let second: Promise<TransferResult[]> | undefined;
  await db().transaction(async (tx) => {
    await postTransfers(tx, id, [{ kind: "post", key: "shared", debit: SETTLEMENT_BANK, credit: WALLET, amount: kobo(500) }]);
    second = post(id, invalid);
    await until(isLockAwaited);
  });
  expect(await second).toMatchObject([{ result: "rejected", rejection: "KEY_REUSED", replayed: false, transferId: null }]);
  await expectInvariantsToHold();
});

test("a release of an unknown hold, sent ten times at once with one key, is refused ten times with the same reason", async () => {
  const id = await aWallet();
  const release: Transfer = { kind: "release", key: "lost", target: "nothing" };
  const results = await Promise.all(times(10, () => post(id, release)));
  expect(results.flat().map(({ rejection }) => rejection)).toEqual(Array.from({ length: 10 }, () => "TARGET_NOT_FOUND"));
});

test.each<[string, (id: string) => Promise<TransferResult[]>, (string | null)[]]>([
  ["beside a spend", (id) => post(id, spend(10n), { kind: "capture", key: "c", target: "h", amount: kobo(60) }), [null, null]],
  ["after the same hold", (id) => post(id, hold(100n, "h"), { kind: "capture", key: "c", target: "h", amount: kobo(60) }), [null, null]],
  [
    "into another account",
    (id) =>
      post(id, { kind: "post", key: "p", debit: WALLET, credit: FX_NGN, amount: kobo(10n) }, { kind: "release", key: "c", target: "h" }),
    [null, null],
  ],
])("a hold that is posted while a batch waits for the wallet is found by the batch: %s", async (_how, send, rejections) => {
  const id = await aWallet(500n);
  let second: Promise<TransferResult[]> | undefined;
  await db().transaction(async (tx) => {
    await postTransfers(tx, id, [hold(100n, "h")]);
    second = send(id);
    await until(isLockAwaited);
  });
  expect((await second)?.map(({ rejection }) => rejection)).toEqual(rejections);
  expect((await accountOf(id, WALLET)).held).toBe(0n);
  await expectInvariantsToHold();
});

test("one key sent twenty times at once moves money once", async () => {
  const id = await aWallet(1_000n);
  const results = await Promise.all(times(20, () => post(id, spend(100n, "same"))));
  expect(results.flat().filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect((await accountOf(id, WALLET)).posted).toBe(1_000n - 100n);
  await expectInvariantsToHold();
});

describe("any concurrent mix of operations", () => {
  interface Step {
    kind: "spend" | "exact" | "one more" | "hold" | "capture" | "release" | "reverse" | "replay" | "reuse";
    amount: number;
    /** Chooses an earlier transfer for the kinds that need one. */
    pick: number;
  }
  const aStep: fc.Arbitrary<Step> = fc.record({
    kind: fc.constantFrom("spend", "exact", "one more", "hold", "capture", "release", "reverse", "replay", "reuse"),
    amount: fc.integer({ min: 1, max: 400 }),
    pick: fc.nat(1_000),
  });
  let id: string;

  beforeAll(async () => {
    id = await aWallet(1_000n);
  });

  /** Returns the transfer of a step. Its target or key may be that of a transfer in `made`. */
  async function toTransfer({ kind, amount, pick }: Step, made: Transfer[]): Promise<Transfer> {
    const earlier = made[pick % Math.max(1, made.length)];
    const target = earlier?.key ?? "nothing";
    const { available } = await accountOf(id, WALLET);
    switch (kind) {
      case "spend":
        return spend(BigInt(amount));
      case "exact":
        return spend(available);
      case "one more":
        return spend(available + 1n);
      case "hold":
        return hold(BigInt(amount));
      case "capture":
        return { kind, key: newKey(), target, amount: kobo(amount) };
      case "release":
      case "reverse":
        return { kind, key: newKey(), target };
      case "replay":
        return earlier ?? spend(1n);
      case "reuse":
        return spend(BigInt(amount) + 1_000_000n, earlier?.key ?? newKey());
    }
  }

  test("keeps every invariant, and no wallet goes below zero", async () => {
    const seed = Number(process.env.LEDGER_SEED ?? 20_261_121);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(aStep, { minLength: 2, maxLength: 10 }), { minLength: 2, maxLength: 5 }), async (rounds) => {
        await fund(id, 1_000n);
        const made: Transfer[] = [];
        for (const round of rounds) {
          const transfers = await Promise.all(round.map((step) => toTransfer(step, made)));
          await Promise.all(transfers.map((transfer) => post(id, transfer)));
          made.push(...transfers);
        }
        expect((await accountOf(id, WALLET)).available).toBeGreaterThanOrEqual(0n);
        await expectInvariantsToHold();
      }),
      { seed, numRuns: 120, endOnFailure: true },
    );
  }, 400_000);
});
