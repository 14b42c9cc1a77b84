import { describe, expect, test } from "vitest";
import { db, sql } from "#db/client.ts";
import { money } from "#lib/money.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { cardAccount, FX_NGN, FX_USD, openCardAccount, RECEIVABLE, SETTLEMENT_BANK, SUSPENSE, type Transfer, WALLET } from "./index.ts";
import { accountOf, aWallet, hold, kobo, newKey, post, rejectionOf, spend } from "./ledger.fixture.ts";

withDatabase();

const move = (debit: string, credit: string, minor: bigint, overflow?: string): Transfer => ({
  ...{ kind: "post", key: newKey(), debit, credit, amount: kobo(minor) },
  ...(overflow !== undefined && { overflow }),
});
const reverse = (target: string, overflow?: string): Transfer => ({
  ...{ kind: "reverse", key: newKey(), target },
  ...(overflow !== undefined && { overflow }),
});

/** Returns what the ledger keeps of the transfers whose keys begin with `key`. */
const transfersOf = async (merchantId: string, key: string) => [
  ...(await sql()`
    select key, kind, result, debit_account as debit, credit_account as credit, amount::int, overflowed, meta->>'reference' as reference,
      (select count(*)::int from ledger_entries e where e.merchant_id = t.merchant_id and e.transfer_id = t.id) as entries
    from ledger_transfers t where merchant_id = ${merchantId} and key like ${`${key}%`} order by key`),
];

test("a batch has 1 to 1,000 transfers", async () => {
  const id = await aWallet(1_000n);
  await expect(post(id)).rejects.toThrow(/1 to 1000/);
  await expect(post(id, ...(await Promise.all(times(1_001, async () => spend(1n)))))).rejects.toThrow(/1 to 1000/);
  expect((await accountOf(id, WALLET)).posted).toBe(1_000n);
});

describe("a wallet of 300 kobo refuses", () => {
  test.each<[string, string, Transfer]>([
    ["an amount of 0", "AMOUNT_INVALID", move(WALLET, SUSPENSE, 0n)],
    ["a negative amount", "AMOUNT_INVALID", move(WALLET, SUSPENSE, -1n)],
    ["an unknown account to debit", "ACCOUNT_NOT_FOUND", move("nowhere", SUSPENSE, 1n)],
    ["an unknown account to credit", "ACCOUNT_NOT_FOUND", move(WALLET, "nowhere", 1n)],
    ["a transfer to itself", "SAME_ACCOUNT", move(WALLET, WALLET, 1n)],
    ["an account in dollars to debit", "CURRENCY_MISMATCH", move(FX_USD, FX_NGN, 1n)],
    ["an account in dollars to credit", "CURRENCY_MISMATCH", move(WALLET, FX_USD, 1n)],
    ["an amount in dollars", "CURRENCY_MISMATCH", { ...move(WALLET, SUSPENSE, 1n), amount: money(1n, "USD") } as Transfer],
    ["a kobo more than it has", "INSUFFICIENT_FUNDS", move(WALLET, SUSPENSE, 301n)],
    ["a hold of a kobo more than it has", "INSUFFICIENT_FUNDS", hold(301n)],
    ["to pay a debt that is not owed", "INSUFFICIENT_FUNDS", move(WALLET, RECEIVABLE, 1n)],
    ["an unknown overflow account", "ACCOUNT_NOT_FOUND", move(WALLET, SUSPENSE, 301n, "nowhere")],
    ["an overflow account in dollars", "CURRENCY_MISMATCH", move(WALLET, FX_NGN, 301n, FX_USD)],
    ["itself as its overflow account", "SAME_ACCOUNT", move(WALLET, SUSPENSE, 301n, WALLET)],
    ["the credited account as its overflow account", "SAME_ACCOUNT", move(WALLET, FX_NGN, 301n, FX_NGN)],
    ["an overflow account without the rest", "INSUFFICIENT_FUNDS", move(WALLET, FX_NGN, 401n, SUSPENSE)],
    ["to pay a debt that is not owed, also with an overflow account", "INSUFFICIENT_FUNDS", move(WALLET, RECEIVABLE, 301n, FX_NGN)],
    ["to reverse an unknown posting", "TARGET_NOT_FOUND", reverse("nothing")],
    ["to reverse a refused posting", "TARGET_NOT_FOUND", reverse("refused")],
    ["to reverse a hold", "NOT_REVERSIBLE", reverse("hold")],
    ["to reverse a release", "NOT_REVERSIBLE", reverse("release")],
    ["to reverse a reversal", "NOT_REVERSIBLE", reverse("reversal")],
    ["to reverse what was reversed", "ALREADY_REVERSED", reverse("reversed")],
    ["to reverse a credit that was spent", "INSUFFICIENT_FUNDS", reverse("credit")],
  ])("%s, and moves nothing", async (_what, rejection, transfer) => {
    const id = await aWallet();
    await post(id, { ...move(SETTLEMENT_BANK, WALLET, 400n), key: "credit" } as Transfer);
    await post(id, { ...spend(9_999n), key: "refused" }, hold(10n, "hold"), spend(100n), { ...spend(10n), key: "reversed" });
    await post(id, { kind: "release", key: "release", target: "hold" }, { kind: "reverse", key: "reversal", target: "reversed" });
    const before = [await accountOf(id, WALLET), await accountOf(id, SUSPENSE)];
    expect(before[0]).toEqual({ posted: 300n, held: 0n, available: 300n });
    expect(await post(id, transfer)).toMatchObject([
      { result: "rejected", rejection, amount: "target" in transfer ? null : expect.anything() },
    ]);
    expect([await accountOf(id, WALLET), await accountOf(id, SUSPENSE)]).toEqual(before);
    await expectInvariantsToHold();
  });
});

describe("the part of a transfer that a wallet cannot cover", () => {
  test("the amount that a wallet cannot cover is debited from the overflow account by a transfer of its own", async () => {
    const id = await aWallet(300n);
    const transfer = { ...move(WALLET, SUSPENSE, 1_000n, RECEIVABLE), key: "much", meta: { reference: "r" } } as Transfer;
    expect(await post(id, transfer)).toMatchObject([{ result: "posted", amount: 300n }]);
    expect(await transfersOf(id, "much")).toEqual([
      ...[
        {
          key: "much",
          kind: "post",
          result: "posted",
          debit: WALLET,
          credit: SUSPENSE,
          amount: 300,
          overflowed: true,
          reference: "r",
          entries: 2,
        },
      ],
      ...[
        {
          key: "much:overflow",
          kind: "post",
          result: "posted",
          debit: RECEIVABLE,
          credit: SUSPENSE,
          amount: 700,
          overflowed: false,
          reference: "r",
          entries: 2,
        },
      ],
    ]);
    expect(await rejectionOf(id, reverse("much"))).toBe("NOT_REVERSIBLE");
    expect((await accountOf(id, SUSPENSE)).posted).toBe(1_000n);
    await expectInvariantsToHold();
  });

  test("the key of an overflow transfer is taken for later requests of the batch, unless its chain was refused", async () => {
    const id = await aWallet(300n);
    const much: Transfer = { ...move(WALLET, SUSPENSE, 350n, RECEIVABLE), key: "much" };
    const [first, second] = await post(id, much, spend(1n, "much:overflow"));
    expect([first?.result, second?.rejection]).toEqual(["posted", "KEY_REUSED"]);
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(50n);
    const credit: Transfer = { kind: "post", key: "credit", debit: SETTLEMENT_BANK, credit: WALLET, amount: kobo(500) };
    expect((await post(id, credit, spend(1n, "credit:recovery")))[1]?.rejection).toBe("KEY_REUSED");
    const again: Transfer = { ...move(WALLET, SUSPENSE, 1_000n, RECEIVABLE), key: "again", linked: true };
    const results = await post(id, again, move(WALLET, "nowhere", 1n), spend(1n, "again:overflow"));
    expect(results.map(({ result, rejection }) => rejection ?? result)).toEqual(["LINKED_REJECTED", "ACCOUNT_NOT_FOUND", "posted"]);
    await expectInvariantsToHold();
  });

  test("if the wallet is empty, one transfer debits the whole amount from the overflow account", async () => {
    const id = await aWallet();
    expect(await post(id, { ...move(WALLET, SUSPENSE, 50n, RECEIVABLE), key: "all" } as Transfer)).toMatchObject([
      { result: "posted", amount: 50n },
    ]);
    expect(await transfersOf(id, "all")).toMatchObject([{ key: "all", debit: RECEIVABLE, amount: 50, overflowed: true, entries: 2 }]);
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(50n);
    await expectInvariantsToHold();
  });

  test("the overflow account is not debited if the wallet has enough", async () => {
    const id = await aWallet(300n);
    await post(id, { ...move(WALLET, SUSPENSE, 300n, RECEIVABLE), key: "exact" } as Transfer);
    expect(await transfersOf(id, "exact")).toMatchObject([{ key: "exact", debit: WALLET, amount: 300, overflowed: false }]);
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(0n);
  });
});

describe("a debt of 700 kobo", () => {
  const aDebtor = async () => {
    const id = await aWallet();
    await post(id, move(WALLET, SUSPENSE, 700n, RECEIVABLE));
    return id;
  };
  const credit = (minor: bigint): Transfer =>
    ({ ...move(SETTLEMENT_BANK, WALLET, minor), key: "credit", meta: { reference: "r" } }) as Transfer;

  test.each([
    [200n, 200, 500n, 0n],
    [700n, 700, 0n, 0n],
    [1_000n, 700, 0n, 300n],
  ])("a credit of %s kobo pays the debt first", async (minor, recovered, owed, available) => {
    const id = await aDebtor();
    await post(id, credit(minor));
    expect((await transfersOf(id, "credit")).slice(1)).toEqual([
      {
        ...{ key: "credit:recovery", kind: "recover", result: "posted", debit: WALLET, credit: RECEIVABLE, amount: recovered },
        ...{ overflowed: false, reference: "r", entries: 2 },
      },
    ]);
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(owed);
    expect((await accountOf(id, WALLET)).available).toBe(available);
    await expectInvariantsToHold();
  });

  test("is paid again at once when its payment is reversed", async () => {
    const id = await aDebtor();
    await post(id, credit(1_000n));
    expect(await post(id, { ...reverse("credit:recovery"), key: "back" })).toMatchObject([{ result: "posted", amount: 700n }]);
    expect(await transfersOf(id, "back")).toMatchObject([
      { kind: "reverse", debit: RECEIVABLE, credit: WALLET },
      { kind: "recover", amount: 700 },
    ]);
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(0n);
    await expectInvariantsToHold();
  });

  test("is paid from a hold into the wallet that is captured", async () => {
    const id = await aWallet();
    await post(id, move(SETTLEMENT_BANK, SUSPENSE, 500n), { ...move(SUSPENSE, WALLET, 500n), kind: "hold", key: "h" } as Transfer);
    await post(id, move(WALLET, SUSPENSE, 200n, RECEIVABLE));
    await post(id, { kind: "capture", key: "c", target: "h" });
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(0n);
    expect((await accountOf(id, WALLET)).available).toBe(300n);
    await expectInvariantsToHold();
  });

  test("a debt that a batch makes beside a hold is paid when the same batch releases the hold", async () => {
    const id = await aWallet(500n);
    await post(id, hold(500n, "h"), move(WALLET, SUSPENSE, 700n, RECEIVABLE), { kind: "release", key: "r", target: "h" });
    expect((await accountOf(id, RECEIVABLE)).posted).toBe(200n);
    expect(await accountOf(id, WALLET)).toEqual({ posted: 0n, held: 0n, available: 0n });
    await expectInvariantsToHold();
  });
});

test("a chain that is refused leaves nothing of itself: balances, holds and targets are as before", async () => {
  const id = await aWallet(1_000n);
  await post(id, hold(100n, "h"), { ...spend(50n), key: "p" });
  const refused = await post(
    id,
    { kind: "capture", key: "c1", target: "h", linked: true },
    { kind: "reverse", key: "v1", target: "p", linked: true },
    spend(9_999n),
    { kind: "capture", key: "c2", target: "h" },
    { kind: "reverse", key: "v2", target: "p" },
    spend(900n),
  );
  expect(refused.map(({ rejection }) => rejection)).toEqual(["LINKED_REJECTED", "LINKED_REJECTED", "INSUFFICIENT_FUNDS", null, null, null]);
  expect(await accountOf(id, WALLET)).toEqual({ posted: 0n, held: 0n, available: 0n });
  await expectInvariantsToHold();
});

test("a chain that is sent again with one changed amount is refused as a whole", async () => {
  const id = await aWallet(1_000n);
  const first: Transfer = { ...spend(100n, "a"), linked: true };
  await post(id, first, spend(100n, "b"));
  const again = await post(id, first, spend(101n, "b"));
  expect(again.map(({ rejection, transferId }) => [rejection, transferId])).toEqual([
    ["LINKED_REJECTED", null],
    ["KEY_REUSED", null],
  ]);
  expect((await accountOf(id, WALLET)).posted).toBe(800n);
});

test("a merchant's transfer finds neither keys nor accounts of another merchant", async () => {
  const [one, other] = [await aWallet(1_000n), await aWallet(1_000n)];
  await post(one, hold(100n, "h"), { ...spend(50n), key: "p" });
  expect(await rejectionOf(other, { kind: "capture", key: newKey(), target: "h" })).toBe("TARGET_NOT_FOUND");
  expect(await rejectionOf(other, reverse("p"))).toBe("TARGET_NOT_FOUND");
  expect(await post(other, { ...spend(70n), key: "p" })).toMatchObject([{ result: "posted", replayed: false }]);
  await expectInvariantsToHold();
  // A card's account without its card, which an invariant would report.
  await db().transaction((tx) => openCardAccount(tx, one, "its own"));
  const dollar = money(1n, "USD");
  const toCard: Transfer = { kind: "post", key: "card", debit: FX_USD, credit: cardAccount("its own"), amount: dollar };
  expect(await rejectionOf(other, toCard)).toBe("ACCOUNT_NOT_FOUND");
  expect(await rejectionOf(one, toCard)).toBeNull();
});
