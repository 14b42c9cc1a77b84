import { describe, expect, test } from "vitest";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { SETTLEMENT_BANK, SUSPENSE, type Transfer, WALLET } from "./index.ts";
import { accountOf, aWallet, fund, kobo, post, rejectionOf, spend } from "./ledger.fixture.ts";

withDatabase();

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
    expect((await accountOf(id, WALLET)).posted).toBe(1_000n - 200n);
    await expectInvariantsToHold();
  });

  test("of linked transfers, of which one was posted before, is refused as KEY_REUSED and moves nothing", async () => {
    const id = await aWallet(1_000n);
    const alone: Transfer = { ...spend(100n, "a"), linked: true };
    await post(id, alone);
    const results = await post(id, alone, spend(100n, "new"));
    expect(results.map(({ rejection }) => rejection)).toEqual(["KEY_REUSED", "KEY_REUSED"]);
    const chain: Transfer[] = [{ ...spend(100n, "b"), linked: true }, spend(100n, "c")];
    const first = await post(id, ...chain);
    expect(await post(id, ...chain)).toEqual(first.map((result) => ({ ...result, replayed: true })));
    expect((await accountOf(id, WALLET)).posted).toBe(1_000n - 100n - 2n * 100n);
  });

  test("a transfer whose overflow account cannot cover the rest is refused and moves nothing", async () => {
    const id = await aWallet(300n);
    const transfer: Transfer = { kind: "post", key: "k", debit: WALLET, credit: SETTLEMENT_BANK, amount: kobo(1_000), overflow: SUSPENSE };
    expect(await rejectionOf(id, transfer)).toBe("INSUFFICIENT_FUNDS");
    expect(await rejectionOf(id, { ...transfer, key: "same", overflow: WALLET })).toBe("SAME_ACCOUNT");
    expect((await accountOf(id, WALLET)).posted).toBe(300n);
    await expectInvariantsToHold();
  });

  test("never deadlocks with one that uses the same accounts in the opposite order", async () => {
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
    expect((await accountOf(id, WALLET)).posted).toBe(2n * 100_000n - 50_000n);
    await expectInvariantsToHold();
  });
});
