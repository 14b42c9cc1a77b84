import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS } from "#lib/time.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { type Transfer, WALLET } from "../ledger/index.ts";
import { accountOf, aWallet, hold, newKey, post } from "../ledger/ledger.fixture.ts";
import { anOperator } from "../merchants/merchant.fixture.ts";
import { countedLines, creditOf, debitOf, expectedLines, happen, moveLast, readLines, sweep } from "./figures.fixture.ts";
import { rebuildFigures } from "./index.ts";

withDatabase();

interface Step {
  kind: "credit" | "debit" | "hold" | "resolve" | "event" | "sweep" | "rebuild" | "read" | "all at once";
  amount: number;
  /** How long before now the entry or event is. */
  minutesAgo: number;
  pick: number;
}

const aStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("credit", "debit", "hold", "resolve", "event", "sweep", "rebuild", "read", "all at once"),
  amount: fc.integer({ min: 1, max: 5_000 }),
  minutesAgo: fc.integer({ min: 0, max: (3 * DAY_MS) / 60_000 }),
  pick: fc.nat(1_000),
});

const TYPES = ["payment_link", "card_fund", "vtu_airtime", "vtu_airtime_reversal", undefined];

async function take(merchantId: string, holds: string[], step: Step): Promise<void> {
  const { kind, amount, minutesAgo, pick } = step;
  const at = new Date(Date.now() - minutesAgo * 60_000);
  const type = TYPES[pick % TYPES.length];
  const postAt = async (...transfers: Transfer[]) => {
    const results = await post(merchantId, ...transfers);
    if (results.some(({ result }) => result === "posted")) await moveLast(merchantId, "entry", at);
  };
  switch (kind) {
    case "credit":
      return postAt(creditOf(amount, type), creditOf(pick + 1));
    case "debit":
      return postAt(debitOf(amount, type));
    case "hold": {
      const key = newKey();
      holds.push(key);
      return postAt(hold(BigInt(amount), key));
    }
    case "resolve": {
      const target = holds.pop();
      return target === undefined ? undefined : postAt({ kind: pick % 2 ? "capture" : "release", key: newKey(), target });
    }
    case "event":
      await happen(merchantId, pick % 2 ? "vtu.success" : "checkout.expired", { amount: amount / 100 });
      return moveLast(merchantId, "event", at);
    case "sweep":
      await Promise.all(times(3, () => sweep()));
      return;
    case "rebuild":
      return rebuildFigures(anOperator, merchantId);
    case "read":
      return expect(await readLines(merchantId)).toEqual(await expectedLines(merchantId));
    case "all at once":
      await Promise.all([
        post(merchantId, creditOf(amount, type)),
        sweep(),
        happen(merchantId, "vtu.failed"),
        sweep(),
        readLines(merchantId),
      ]);
      return;
  }
}

test("any order of postings, events, sweeps and rebuilds comes to the same figures", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 1, maxLength: 25 }), async (steps) => {
      const merchantId = await aWallet(2_000n);
      const holds: string[] = [];
      for (const step of steps) await take(merchantId, holds, step);
      const expected = await expectedLines(merchantId);
      expect(await readLines(merchantId)).toEqual(expected);
      await sweep();
      expect(await countedLines(merchantId)).toEqual(expected);
      const sum = expected.filter((line) => line.includes(" wallet ")).reduce((total, line) => total + BigInt(line.split(" ")[4] ?? 0), 0n);
      expect(sum).toBe((await accountOf(merchantId, WALLET)).posted);
    }),
    { numRuns: 40 },
  );
  await expectInvariantsToHold();
});
