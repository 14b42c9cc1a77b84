import { sql as statement } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db, type Tx } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { isLockAwaited } from "#testing/locks.ts";
import { times, until } from "#testing/until.ts";
import { RECEIVABLE, SETTLEMENT_BANK, type Transfer, WALLET, walletCredit } from "./index.ts";
import { accountOf, aWallet, fund, hold, kobo, newKey, post, rejectionOf, spend } from "./ledger.fixture.ts";

withDatabase();

const creditOf = (minor: bigint): Transfer => ({
  kind: "post",
  key: "credit",
  debit: SETTLEMENT_BANK,
  credit: WALLET,
  amount: kobo(minor),
});
const recall: Transfer = { kind: "reverse", key: "recall", target: "credit", overflow: RECEIVABLE };

describe("a reversal", () => {
  test("takes a posting back once when ten are sent at once", async () => {
    const id = await aWallet(1_000n);
    await post(id, spend(300n, "p"));
    const results = await Promise.all(times(10, (i) => post(id, { kind: "reverse", key: `v${i}`, target: "p" })));
    expect(results.flat().filter(({ result }) => result === "posted")).toHaveLength(1);
    expect((await accountOf(id, WALLET)).posted).toBe(1_000n);
    expect(await rejectionOf(id, { kind: "reverse", key: newKey(), target: "v0" })).toMatch(/NOT_REVERSIBLE|TARGET_NOT_FOUND/);
    await expectInvariantsToHold();
  });

  test("a reversal of a credit that was spent debits the receivable for the missing part, and later credits pay that debt first", async () => {
    const id = await aWallet();
    const fiveNaira = naira(5);
    await post(id, creditOf(1_000n), spend(700n));
    await post(id, recall);
    expect(await rejectionOf(id, { kind: "reverse", key: newKey(), target: "recall" })).toBe("NOT_REVERSIBLE");
    expect((await accountOf(id, WALLET)).posted).toBe(0n);
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(700n);
    await post(id, walletCredit({ key: "next", from: SETTLEMENT_BANK, amount: fiveNaira, meta: {} }));
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(700n - fiveNaira.minor);
    expect((await accountOf(id, WALLET)).posted).toBe(0n);
    await post(id, walletCredit({ key: "last", from: SETTLEMENT_BANK, amount: fiveNaira, meta: {} }));
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(0n);
    expect((await accountOf(id, WALLET)).posted).toBe(2n * fiveNaira.minor - 700n);
    await expectInvariantsToHold();
  });
});

describe("a debt", () => {
  const sumOf = (amounts: bigint[]) => amounts.reduce((sum, each) => sum + each, 0n);

  /** Makes a wallet that owes `owed` kobo, has each of `held` on hold under `hold:0`, `hold:1` …, and has nothing to spend. */
  const aDebtor = async (owed: bigint, ...held: bigint[]) => {
    const id = await aWallet();
    await post(id, creditOf(owed), spend(owed));
    await fund(id, sumOf(held));
    await post(id, ...held.map((each, n) => hold(each, `hold:${n}`)));
    await post(id, recall);
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(owed);
    return id;
  };

  test("is paid from a hold that is released, before anything of it can be spent", async () => {
    const id = await aDebtor(700n, 500n);
    await post(id, { kind: "release", key: "r", target: "hold:0" });
    expect(await accountOf(id, WALLET)).toEqual({ posted: 0n, held: 0n, available: 0n });
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(700n - 500n);
    expect(await rejectionOf(id, spend(1n))).toBe("INSUFFICIENT_FUNDS");
    await expectInvariantsToHold();
  });

  test("is paid from the rest that a capture gives back", async () => {
    const id = await aDebtor(700n, 1_000n);
    await post(id, { kind: "capture", key: "c", target: "hold:0", amount: kobo(200) });
    const left = 1_000n - 200n - 700n;
    expect(await accountOf(id, WALLET)).toEqual({ posted: left, held: 0n, available: left });
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(0n);
    await expectInvariantsToHold();
  });

  test("is paid once by many releases at once, alone and in batches, and the rest can be spent", async () => {
    const id = await aDebtor(750n, ...Array<bigint>(12).fill(100n));
    const release = (n: number): Transfer => ({ kind: "release", key: `r${n}`, target: `hold:${n}` });
    await Promise.all([...times(6, (n) => post(id, release(n))), ...times(3, (n) => post(id, release(6 + 2 * n), release(7 + 2 * n)))]);
    const left = 12n * 100n - 750n;
    expect(await accountOf(id, WALLET)).toEqual({ posted: left, held: 0n, available: left });
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(0n);
    await expectInvariantsToHold();
  });
});

test("a credit that pays a debt locks accounts in the common order, so it cannot deadlock with a posting that has locked the first one", async () => {
  const id = await aWallet();
  await post(id, creditOf(100n), spend(100n));
  await post(id, recall);
  const lock = (query: Tx, account: string) =>
    query.execute(statement`select 1 from ledger_accounts where merchant_id = ${id} and account = ${account} for update`);
  let credit: Promise<unknown> | undefined;
  await db().transaction(async (tx) => {
    await lock(tx, RECEIVABLE);
    credit = post(id, walletCredit({ key: "next", from: SETTLEMENT_BANK, amount: kobo(300), meta: {} }));
    await until(isLockAwaited);
    await lock(tx, WALLET);
  });
  await credit;
  expect((await accountOf(id, RECEIVABLE)).posted).toBe(0n);
  expect((await accountOf(id, WALLET)).posted).toBe(300n - 100n);
  await expectInvariantsToHold();
});
