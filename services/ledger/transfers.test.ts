import { describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { money } from "#lib/money.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { SUSPENSE, WALLET } from "./index.ts";
import { accountOf, aWallet, fund, hold, kobo, newKey, post, rejectionOf, spend } from "./ledger.fixture.ts";

withDatabase();

describe("a transfer", () => {
  test("moves money from one account to the other, to the kobo", async () => {
    const id = await aWallet(1_000n);
    await post(id, spend(1n));
    expect(await accountOf(id, WALLET)).toEqual({ posted: 999n, held: 0n, available: 999n });
    expect((await accountOf(id, SUSPENSE)).posted).toBe(1n);
    await expectInvariantsToHold();
  });

  test("of exactly the available balance is posted, and one of a kobo more is refused", async () => {
    const id = await aWallet(1_000n);
    await post(id, hold(400n));
    expect(await rejectionOf(id, spend(601n))).toBe("INSUFFICIENT_FUNDS");
    expect(await rejectionOf(id, spend(600n))).toBeNull();
    expect((await accountOf(id, WALLET)).available).toBe(0n);
    await expectInvariantsToHold();
  });

  test("that is sent again with its key gets the same result and moves nothing, also when it was rejected", async () => {
    const id = await aWallet(1_000n);
    const paid = spend(700n, "paid");
    const refused = spend(700n, "refused");
    const [first] = await post(id, paid);
    expect(first).toMatchObject({ result: "posted", replayed: false });
    expect(await post(id, paid)).toEqual([{ ...first, replayed: true }]);
    expect(await rejectionOf(id, refused)).toBe("INSUFFICIENT_FUNDS");
    await fund(id, 10_000n);
    expect((await post(id, refused))[0]).toMatchObject({ rejection: "INSUFFICIENT_FUNDS", replayed: true });
    expect((await accountOf(id, WALLET)).posted).toBe(1_000n - 700n + 10_000n);
  });

  test("with a known key and another body is refused, and the first transfer stays as it was", async () => {
    const id = await aWallet(1_000n);
    await post(id, spend(100n, "k"));
    expect(await rejectionOf(id, spend(101n, "k"))).toBe("KEY_REUSED");
    expect((await accountOf(id, WALLET)).posted).toBe(1_000n - 100n);
  });

  test("that is invalid is refused with its reason", async () => {
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
