import { sql as statement } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { db, sql, type Tx } from "#db/client.ts";
import { money, naira } from "#lib/money.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { aMerchant } from "../merchants/merchant.fixture.ts";
import { creditWallet, postTransfers, RECEIVABLE, SETTLEMENT_BANK, SUSPENSE, type Transfer, type TransferResult, WALLET } from "./index.ts";

withDatabase();

let counter = 0;
const newKey = () => `test:${counter++}`;
const kobo = (minor: bigint | number) => money(BigInt(minor), "NGN");

const aWallet = async (amount = 0n) => {
  const { merchant } = await aMerchant();
  if (amount > 0n) await fund(merchant.id, amount);
  return merchant.id;
};

const fund = (merchantId: string, minor: bigint) =>
  postTransfers(db(), merchantId, [{ kind: "post", key: newKey(), debit: SETTLEMENT_BANK, credit: WALLET, amount: kobo(minor) }]);

const spend = (amount: bigint, key = newKey()): Transfer => ({ kind: "post", key, debit: WALLET, credit: SUSPENSE, amount: kobo(amount) });
const hold = (amount: bigint, key = newKey()): Transfer => ({ kind: "hold", key, debit: WALLET, credit: SUSPENSE, amount: kobo(amount) });

const post = async (merchantId: string, ...transfers: Transfer[]) => postTransfers(db(), merchantId, transfers);
const rejectionOf = async (merchantId: string, transfer: Transfer) => (await post(merchantId, transfer))[0]?.rejection;

interface Account {
  posted: bigint;
  held: bigint;
  available: bigint;
}

async function accountOf(merchantId: string, account: string): Promise<Account> {
  const [row] = await sql()<Account[]>`
    select case normal_side when 'credit' then posted_credits - posted_debits else posted_debits - posted_credits end as posted,
      case normal_side when 'credit' then pending_debits else pending_credits end as held, ledger_available(a) as available
    from ledger_accounts a where merchant_id = ${merchantId} and account = ${account}`;
  if (!row) throw new Error(`no account ${account}`);
  return row;
}

/** In this file's database alone: another test file shares the server. */
const somebodyWaitsForALock = async () => {
  const waiting = await sql()`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return waiting.length > 0;
};

describe("one transfer", () => {
  test("moves money from one account to the other, to the kobo", async () => {
    const id = await aWallet(1_000n);
    await post(id, spend(1n));
    expect(await accountOf(id, WALLET)).toEqual({ posted: 999n, held: 0n, available: 999n });
    expect((await accountOf(id, SUSPENSE)).posted).toBe(1n);
    await expectInvariantsToHold();
  });

  test("of exactly the available balance passes, of one kobo more does not", async () => {
    const id = await aWallet(1_000n);
    await post(id, hold(400n));
    expect(await rejectionOf(id, spend(601n))).toBe("INSUFFICIENT_FUNDS");
    expect(await rejectionOf(id, spend(600n))).toBeNull();
    expect((await accountOf(id, WALLET)).available).toBe(0n);
    await expectInvariantsToHold();
  });

  test("asked again with its key answers the same and moves nothing, also when it was rejected", async () => {
    const id = await aWallet(1_000n);
    const paid = spend(700n, "paid");
    const refused = spend(700n, "refused");
    const [first] = await post(id, paid);
    expect(first).toMatchObject({ result: "posted", replayed: false });
    expect(await post(id, paid)).toEqual([{ ...first, replayed: true }]);
    expect(await rejectionOf(id, refused)).toBe("INSUFFICIENT_FUNDS");
    await fund(id, 10_000n);
    expect((await post(id, refused))[0]).toMatchObject({ rejection: "INSUFFICIENT_FUNDS", replayed: true });
    expect((await accountOf(id, WALLET)).posted).toBe(10_300n);
  });

  test("with a known key and another body is refused and leaves the first as it was", async () => {
    const id = await aWallet(1_000n);
    await post(id, spend(100n, "k"));
    expect(await rejectionOf(id, spend(101n, "k"))).toBe("KEY_REUSED");
    expect((await accountOf(id, WALLET)).posted).toBe(900n);
  });

  test("is refused by name when it makes no sense", async () => {
    const id = await aWallet(1_000n);
    const amount = kobo(1);
    expect(await rejectionOf(id, spend(0n))).toBe("AMOUNT_INVALID");
    expect(await rejectionOf(id, spend(-5n))).toBe("AMOUNT_INVALID");
    expect(await rejectionOf(id, { kind: "post", key: newKey(), debit: WALLET, credit: WALLET, amount })).toBe("SAME_ACCOUNT");
    expect(await rejectionOf(id, { kind: "post", key: newKey(), debit: WALLET, credit: "nowhere", amount })).toBe("ACCOUNT_NOT_FOUND");
    expect(await rejectionOf(id, { kind: "post", key: newKey(), debit: WALLET, credit: SUSPENSE, amount: money(1n, "USD") })).toBe(
      "CURRENCY_MISMATCH",
    );
    await expectInvariantsToHold();
  });

  test("cannot reach another merchant's account", async () => {
    const [rich, poor] = [await aWallet(1_000n), await aWallet()];
    expect(await rejectionOf(poor, spend(1n))).toBe("INSUFFICIENT_FUNDS");
    expect((await accountOf(rich, WALLET)).posted).toBe(1_000n);
  });
});

describe("a hold", () => {
  test("sets money aside, a capture takes part of it and gives the rest back", async () => {
    const id = await aWallet(1_000n);
    await post(id, hold(600n, "h"));
    expect(await accountOf(id, WALLET)).toEqual({ posted: 1_000n, held: 600n, available: 400n });
    await post(id, { kind: "capture", key: "c", target: "h", amount: kobo(450) });
    expect(await accountOf(id, WALLET)).toEqual({ posted: 550n, held: 0n, available: 550n });
    await expectInvariantsToHold();
  });

  test("resolves once, whichever of twenty captures and releases comes first", async () => {
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

  test("cannot be captured beyond its amount, nor can a posting be captured", async () => {
    const id = await aWallet(1_000n);
    await post(id, hold(600n, "h"), spend(100n, "p"));
    expect(await rejectionOf(id, { kind: "capture", key: newKey(), target: "h", amount: kobo(601) })).toBe("EXCEEDS_HOLD");
    expect(await rejectionOf(id, { kind: "capture", key: newKey(), target: "p" })).toBe("NOT_A_HOLD");
    expect(await rejectionOf(id, { kind: "release", key: newKey(), target: "nothing" })).toBe("TARGET_NOT_FOUND");
    expect((await accountOf(id, WALLET)).held).toBe(600n);
  });
});

describe("a reversal", () => {
  test("takes a posting back once, however many ask at once", async () => {
    const id = await aWallet(1_000n);
    await post(id, spend(300n, "p"));
    const results = await Promise.all(times(10, (i) => post(id, { kind: "reverse", key: `v${i}`, target: "p" })));
    expect(results.flat().filter(({ result }) => result === "posted")).toHaveLength(1);
    expect((await accountOf(id, WALLET)).posted).toBe(1_000n);
    expect(await rejectionOf(id, { kind: "reverse", key: newKey(), target: "v0" })).toMatch(/NOT_REVERSIBLE|TARGET_NOT_FOUND/);
    await expectInvariantsToHold();
  });

  test("of a credit that was spent goes to the receivable for what the wallet lacks; a later credit pays it first", async () => {
    const id = await aWallet();
    const credit: Transfer = { kind: "post", key: "credit", debit: SETTLEMENT_BANK, credit: WALLET, amount: kobo(1_000) };
    await post(id, credit, spend(700n));
    await post(id, { kind: "reverse", key: "recall", target: "credit", overflow: RECEIVABLE });
    expect(await rejectionOf(id, { kind: "reverse", key: newKey(), target: "recall" })).toBe("NOT_REVERSIBLE");
    expect((await accountOf(id, WALLET)).posted).toBe(0n);
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(700n);
    await db().transaction((tx) => creditWallet(tx, id, { key: "next", from: SETTLEMENT_BANK, amount: naira(5), meta: {} }));
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(200n);
    expect((await accountOf(id, WALLET)).posted).toBe(0n);
    await db().transaction((tx) => creditWallet(tx, id, { key: "last", from: SETTLEMENT_BANK, amount: naira(5), meta: {} }));
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(0n);
    expect((await accountOf(id, WALLET)).posted).toBe(300n);
    await expectInvariantsToHold();
  });
});

describe("a debt", () => {
  /** A wallet that owes `owed` and has `held` set aside under `hold:…`, and nothing to spend. */
  const aDebtor = async (owed: bigint, ...held: bigint[]) => {
    const id = await aWallet();
    await post(id, { kind: "post", key: "credit", debit: SETTLEMENT_BANK, credit: WALLET, amount: kobo(owed) }, spend(owed));
    await fund(
      id,
      held.reduce((sum, each) => sum + each, 0n),
    );
    await post(id, ...held.map((each, n) => hold(each, `hold:${n}`)));
    await post(id, { kind: "reverse", key: "recall", target: "credit", overflow: RECEIVABLE });
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(owed);
    return id;
  };

  test("is paid from a hold that is released, before anything of it can be spent", async () => {
    const id = await aDebtor(700n, 500n);
    await post(id, { kind: "release", key: "r", target: "hold:0" });
    expect(await accountOf(id, WALLET)).toEqual({ posted: 0n, held: 0n, available: 0n });
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(200n);
    expect(await rejectionOf(id, spend(1n))).toBe("INSUFFICIENT_FUNDS");
    await expectInvariantsToHold();
  });

  test("is paid from what a capture leaves of its hold", async () => {
    const id = await aDebtor(700n, 1_000n);
    await post(id, { kind: "capture", key: "c", target: "hold:0", amount: kobo(200) });
    expect(await accountOf(id, WALLET)).toEqual({ posted: 100n, held: 0n, available: 100n });
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(0n);
    await expectInvariantsToHold();
  });

  test("is paid once by many releases at once, alone and in batches, and the rest can be spent", async () => {
    const id = await aDebtor(750n, ...Array<bigint>(12).fill(100n));
    const release = (n: number): Transfer => ({ kind: "release", key: `r${n}`, target: `hold:${n}` });
    await Promise.all([...times(6, (n) => post(id, release(n))), ...times(3, (n) => post(id, release(6 + 2 * n), release(7 + 2 * n)))]);
    expect(await accountOf(id, WALLET)).toEqual({ posted: 450n, held: 0n, available: 450n });
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(0n);
    await expectInvariantsToHold();
  });
});

test("a credit that pays a debt takes its locks in the one order, and so cannot deadlock with a posting that has the first of them", async () => {
  const id = await aWallet();
  await post(id, { kind: "post", key: "credit", debit: SETTLEMENT_BANK, credit: WALLET, amount: kobo(100) }, spend(100n));
  await post(id, { kind: "reverse", key: "recall", target: "credit", overflow: RECEIVABLE });
  const lock = (query: Tx, account: string) =>
    query.execute(statement`select 1 from ledger_accounts where merchant_id = ${id} and account = ${account} for update`);
  let credit: Promise<void> | undefined;
  await db().transaction(async (tx) => {
    await lock(tx, RECEIVABLE);
    credit = db().transaction((other) => creditWallet(other, id, { key: "next", from: SETTLEMENT_BANK, amount: kobo(300), meta: {} }));
    await until(somebodyWaitsForALock);
    await lock(tx, WALLET);
  });
  await credit;
  expect((await accountOf(id, RECEIVABLE)).posted).toBe(0n);
  expect((await accountOf(id, WALLET)).posted).toBe(200n);
  await expectInvariantsToHold();
});

describe("a batch", () => {
  test("with linked transfers posts all of them or none, and says which one was refused", async () => {
    const id = await aWallet(1_000n);
    const results = await post(
      id,
      { ...spend(100n, "a"), linked: true },
      { ...spend(5_000n, "b"), linked: true },
      spend(100n, "c"),
      spend(200n, "d"),
    );
    expect(results.map(({ rejection }) => rejection)).toEqual(["LINKED_REJECTED", "INSUFFICIENT_FUNDS", "LINKED_REJECTED", null]);
    expect((await accountOf(id, WALLET)).posted).toBe(800n);
    await expectInvariantsToHold();
  });

  test("of linked transfers that was answered in part is another request, and moves nothing", async () => {
    const id = await aWallet(1_000n);
    const alone: Transfer = { ...spend(100n, "a"), linked: true };
    await post(id, alone);
    const results = await post(id, alone, spend(100n, "new"));
    expect(results.map(({ rejection }) => rejection)).toEqual(["KEY_REUSED", "KEY_REUSED"]);
    const chain: Transfer[] = [{ ...spend(100n, "b"), linked: true }, spend(100n, "c")];
    const first = await post(id, ...chain);
    expect(await post(id, ...chain)).toEqual(first.map((result) => ({ ...result, replayed: true })));
    expect((await accountOf(id, WALLET)).posted).toBe(700n);
  });

  test("that is refused by an overflow account which lacks the rest moves nothing", async () => {
    const id = await aWallet(300n);
    const transfer: Transfer = { kind: "post", key: "k", debit: WALLET, credit: SETTLEMENT_BANK, amount: kobo(1_000), overflow: SUSPENSE };
    expect(await rejectionOf(id, transfer)).toBe("INSUFFICIENT_FUNDS");
    expect(await rejectionOf(id, { ...transfer, key: "same", overflow: WALLET })).toBe("SAME_ACCOUNT");
    expect((await accountOf(id, WALLET)).posted).toBe(300n);
    await expectInvariantsToHold();
  });

  test("that crosses another one over the same accounts never deadlocks", async () => {
    const id = await aWallet(100_000n);
    await fund(id, 100_000n);
    await post(id, spend(50_000n));
    const there: Transfer = { kind: "post", key: "", debit: WALLET, credit: SUSPENSE, amount: kobo(3) };
    const back: Transfer = { kind: "post", key: "", debit: SUSPENSE, credit: WALLET, amount: kobo(3) };
    const batches = times(60, (i) => {
      const [first, second] = i % 2 ? [there, back] : [back, there];
      return post(id, { ...first, key: `x${i}a` }, { ...second, key: `x${i}b` });
    });
    const results = await Promise.all(batches);
    expect(results.flat().every(({ result }) => result === "posted")).toBe(true);
    expect((await accountOf(id, WALLET)).posted).toBe(150_000n);
    await expectInvariantsToHold();
  });
});

test("two hundred spends at once from a wallet that covers 120 pass exactly 120 times", async () => {
  const id = await aWallet(120n * 500n);
  const results = await Promise.all(times(200, () => post(id, spend(500n))));
  expect(results.flat().filter(({ result }) => result === "posted")).toHaveLength(120);
  expect(await accountOf(id, WALLET)).toEqual({ posted: 0n, held: 0n, available: 0n });
  await expectInvariantsToHold();
});

test("a refusal that meets another request under its key says KEY_REUSED, and never claims the other's success", async () => {
  const id = await aWallet();
  const lost: Transfer = { kind: "post", key: "shared", debit: "nowhere", credit: "nobody", amount: kobo(1) };
  let second: Promise<TransferResult[]> | undefined;
  await db().transaction(async (tx) => {
    await postTransfers(tx, id, [{ kind: "post", key: "shared", debit: SETTLEMENT_BANK, credit: WALLET, amount: kobo(500) }]);
    second = post(id, lost);
    await until(somebodyWaitsForALock);
  });
  expect(await second).toMatchObject([{ result: "rejected", rejection: "KEY_REUSED", replayed: false, transferId: null }]);
  await expectInvariantsToHold();
});

test("one key sent ten times at once for accounts that do not exist answers the same refusal ten times", async () => {
  const id = await aWallet();
  const lost: Transfer = { kind: "release", key: "lost", target: "nothing" };
  const results = await Promise.all(times(10, () => post(id, lost)));
  expect(results.flat().map(({ rejection }) => rejection)).toEqual(Array.from({ length: 10 }, () => "TARGET_NOT_FOUND"));
});

test("one key sent twenty times at once moves money once", async () => {
  const id = await aWallet(1_000n);
  const results = await Promise.all(times(20, () => post(id, spend(100n, "same"))));
  expect(results.flat().filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect((await accountOf(id, WALLET)).posted).toBe(900n);
  await expectInvariantsToHold();
});

test("entries and transfers can be neither changed nor deleted, and accounts cannot be deleted", async () => {
  await aWallet(100n);
  for (const statement of [
    "update ledger_entries set posted = posted + 1",
    "delete from ledger_entries",
    "truncate ledger_entries cascade",
    "update ledger_transfers set amount = 1",
    "delete from ledger_transfers",
    "truncate ledger_transfers cascade",
    "delete from ledger_accounts",
    "truncate ledger_accounts",
  ]) {
    await expect(sql().unsafe(statement), statement).rejects.toThrow(/append-only/);
  }
});

describe("any concurrent mix of operations", () => {
  interface Step {
    kind: "spend" | "exact" | "one more" | "hold" | "capture" | "release" | "reverse" | "replay" | "reuse";
    amount: number;
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

  /** Turns a step into a transfer over what earlier steps made, and remembers it. */
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

describe("many holds, captures and releases in one call", () => {
  /** Some transfers on holds that were made before and in the batch itself, refusable or not. */
  const transfers = (round: string): fc.Arbitrary<Transfer[]> =>
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
      .map((wishes) =>
        wishes.map((wish, position): Transfer => {
          const key = `${round}:${position}`;
          // Targets 0 to 3 were held before; others may or may not be holds of this batch.
          const target = (n: number) => (n < 4 ? `before:${n}` : `${round}:${n - 4}`);
          switch (wish.kind) {
            case "hold":
              return hold(BigInt(wish.amount), wish.n === 8 ? `before:0` : key);
            case "capture":
              return { kind: "capture", key, target: target(wish.n), ...(wish.amount !== null && { amount: kobo(wish.amount) }) };
            case "release":
              return { kind: "release", key, target: target(wish.n) };
            default:
              return spend(BigInt(wish.amount), key);
          }
        }),
      );

  const aPreparedWallet = async () => {
    const id = await aWallet(1_000n);
    await post(id, ...[100n, 100n, 50n, 1n].map((amount, n) => hold(amount, `before:${n}`)));
    return id;
  };

  test("come to what they come to one by one: the same answers, entries and balances", async () => {
    await fc.assert(
      fc.asyncProperty(transfers("t"), async (batch) => {
        const [together, alone] = await Promise.all([aPreparedWallet(), aPreparedWallet()]);
        const answers = (await post(together, ...batch)).map(({ transferId: _id, ...rest }) => rest);
        const singly: unknown[] = [];
        for (const transfer of batch) singly.push(...(await post(alone, transfer)).map(({ transferId: _id, ...rest }) => rest));
        expect(answers).toEqual(singly);
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

  test("are refused one by one where they must be, and the others pass", async () => {
    const id = await aPreparedWallet();
    const results = await post(
      id,
      hold(1n),
      { kind: "capture", key: newKey(), target: "before:2", amount: kobo(51) },
      { kind: "release", key: newKey(), target: "before:0" },
    );
    expect(results.map(({ rejection }) => rejection)).toEqual([null, "EXCEEDS_HOLD", null]);
    expect((await accountOf(id, WALLET)).held).toBe(152n);
    await expectInvariantsToHold();
  });

  test("of thirty-two that are covered by thirty-one, thirty-one pass", async () => {
    const id = await aWallet(3_100n);
    const results = await post(id, ...Array.from({ length: 32 }, () => hold(100n)));
    expect(results.map(({ rejection }) => rejection)).toEqual([...Array(31).fill(null), "INSUFFICIENT_FUNDS"]);
    await expectInvariantsToHold();
  });
});
