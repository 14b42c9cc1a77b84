import fc from "fast-check";
import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { money } from "#lib/money.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { FX_USD, RECEIVABLE, SETTLEMENT_BANK, SUSPENSE, type Transfer, type TransferResult, WALLET } from "./index.ts";
import { aWallet, kobo, post } from "./ledger.fixture.ts";

withDatabase();

/** Few names, so that keys repeat, holds are captured twice and wallets run short. */
const aKey = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h");
const aHoldsKey = fc.constantFrom("a", "b", "c");
const aTarget = fc.oneof(
  { weight: 6, arbitrary: aHoldsKey },
  { weight: 2, arbitrary: aKey },
  { weight: 1, arbitrary: fc.constantFrom("held", "held", "a:overflow", "b:recovery", "nothing") },
);
const accountAnd = (...rare: string[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(WALLET) },
    { weight: 6, arbitrary: fc.constantFrom(SUSPENSE, SETTLEMENT_BANK) },
    { weight: 1, arbitrary: fc.constantFrom(...rare, FX_USD, "nowhere") },
  );
const anAmount = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 400 }).map(kobo) },
  { weight: 1, arbitrary: fc.constantFrom(kobo(0), kobo(-5), money(7n, "USD")) },
);
const anOverflow = fc.constantFrom(undefined, undefined, SUSPENSE, WALLET, "nowhere");
const common = { key: aKey, linked: fc.constantFrom(undefined, undefined, undefined, true) };
/** A merchant comes to owe by what its wallet cannot cover, and by nothing else. */
const movement = { ...common, debit: accountAnd(), credit: accountAnd(RECEIVABLE), amount: anAmount };
const what = <Kind extends string>(kind: Kind) => ({ kind: fc.constant(kind), ...common });

const aTransfer: fc.Arbitrary<Transfer> = fc
  .oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("post"), ...movement, overflow: anOverflow }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("post"), ...movement, debit: fc.constant(WALLET), overflow: fc.constant(RECEIVABLE) }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("hold"), ...movement, key: aHoldsKey }) },
    { weight: 2, arbitrary: fc.record({ ...what("capture"), target: aTarget, amount: fc.option(anAmount, { nil: undefined }) }) },
    { weight: 1, arbitrary: fc.record({ ...what("release"), target: aTarget }) },
    { weight: 1, arbitrary: fc.record({ ...what("reverse"), target: aTarget, overflow: anOverflow }) },
    { weight: 1, arbitrary: fc.record({ ...what("reverse"), target: fc.constant("start"), overflow: fc.constant(RECEIVABLE) }) },
  )
  .map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)) as unknown as Transfer);

/** Batches in which some transfers come again, in the same batch or in a later one. */
const someBatches = fc
  .record({
    batches: fc.array(fc.array(aTransfer, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 }),
    again: fc.array(fc.tuple(fc.nat(35), fc.nat(35)), { maxLength: 3 }),
  })
  .map(({ batches, again }) => {
    const all = batches.flat();
    for (const [from, to] of again) all[to % all.length] = all[from % all.length] as Transfer;
    return batches.map(({ length }) => all.splice(0, length));
  });

/** Cuts a batch into its chains: transfers that stand or fall together. */
function chainsOf(batch: Transfer[]): Transfer[][] {
  const chains: Transfer[][] = [[]];
  for (const transfer of batch) {
    chains.at(-1)?.push(transfer);
    if (!transfer.linked) chains.push([]);
  }
  return chains.filter(({ length }) => length > 0);
}

/** Returns all that the ledger keeps of a merchant, without ids and times. */
async function ledgerOf(merchantId: string) {
  const [accounts, transfers, entries] = await Promise.all([
    sql()`
      select account, posted_debits, posted_credits, pending_debits, pending_credits, available, seq
      from ledger_accounts where merchant_id = ${merchantId} order by account`,
    sql()`
      select key, request_hash, kind, result, rejection, debit_account, credit_account, currency, amount, overflowed, meta,
        (select key from ledger_transfers h where h.merchant_id = t.merchant_id and h.id = t.resolves_id) as resolves,
        (select key from ledger_transfers h where h.merchant_id = t.merchant_id and h.id = t.reverses_id) as reverses
      from ledger_transfers t where merchant_id = ${merchantId} order by key`,
    sql()`
      select e.account, e.seq, t.key, e.side, e.posted, e.pending, e.balance_after
      from ledger_entries e join ledger_transfers t on t.merchant_id = e.merchant_id and t.id = e.transfer_id
      where e.merchant_id = ${merchantId} order by e.account, e.seq`,
  ]);
  return { accounts: [...accounts], transfers: [...transfers], entries: [...entries] };
}

const withoutIds = (results: TransferResult[]) => results.map(({ transferId, ...rest }) => ({ ...rest, hasTransfer: transferId !== null }));

test("a batch has the same result as its transfers one by one: answers, transfers, entries and balances", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(someBatches, async (batches) => {
      const [together, apart] = [await aWallet(), await aWallet()];
      const start: Transfer[] = [
        { kind: "post", key: "start", debit: SETTLEMENT_BANK, credit: WALLET, amount: kobo(500) },
        { kind: "hold", key: "held", debit: WALLET, credit: SUSPENSE, amount: kobo(100) },
      ];
      for (const id of [together, apart]) await post(id, ...start);
      for (const batch of batches) {
        const atOnce = await post(together, ...batch);
        const inTurn: TransferResult[] = [];
        for (const chain of chainsOf(batch)) inTurn.push(...(await post(apart, ...chain)));
        expect(withoutIds(atOnce)).toEqual(withoutIds(inTurn));
        for (const { result, rejection, replayed } of atOnce) seen.add(rejection ?? (replayed ? "replayed" : result));
      }
      expect(await ledgerOf(together)).toEqual(await ledgerOf(apart));
    }),
    { seed: Number(process.env.LEDGER_SEED ?? 8), numRuns: 400, endOnFailure: true },
  );
  await expectInvariantsToHold();
  // The batches met every answer that there is.
  expect([...seen].toSorted()).toEqual(
    [
      ...[
        "posted",
        "replayed",
        "ACCOUNT_NOT_FOUND",
        "ALREADY_REVERSED",
        "AMOUNT_INVALID",
        "CURRENCY_MISMATCH",
        "EXCEEDS_HOLD",
        "HOLD_RESOLVED",
      ],
      ...["INSUFFICIENT_FUNDS", "KEY_REUSED", "LINKED_REJECTED", "NOT_A_HOLD", "NOT_REVERSIBLE", "SAME_ACCOUNT", "TARGET_NOT_FOUND"],
    ].toSorted(),
  );
}, 400_000);
