import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Sql, sql } from "#db/client.ts";
import { money } from "#lib/money.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { systemContext } from "../context.ts";
import { listWalletTransactions, presentWalletTransaction, SETTLEMENT_BANK, type Transfer, WALLET } from "../ledger/index.ts";
import { hold, kobo, post, spend } from "../ledger/ledger.fixture.ts";
import { aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { checkSeals } from "./check-seals.ts";
import { getProof } from "./get-proof.ts";
import { listWalletHeads, type WalletHead } from "./head.ts";
import { presentWalletProof } from "./present.ts";
import { sealWallets } from "./seal-wallets.ts";
import { isSignedByUs } from "./signing.ts";

withDatabase();

const seal = () => sealWallets(systemContext("test"));

let keys = 0;
const credit = (naira: number, meta: Record<string, string> = { type: "payment_link", reference: `ref ${keys}` }): Transfer => ({
  ...{ kind: "post", key: `k${keys++}`, debit: SETTLEMENT_BANK, credit: WALLET, amount: kobo(BigInt(Math.round(naira * 100))), meta },
});
/** Returns a merchant with a sealed history of six rows and a hold, in three seals. */
async function aSealedWallet(): Promise<TestMerchant> {
  const shop = await aMerchant();
  const { id } = shop.merchant;
  await post(id, credit(5_000), credit(0.05));
  await seal();
  await post(id, hold(10_00n), spend(100_00n));
  await seal();
  await post(id, credit(7_000.5, {}), credit(3, { type: "payment_link", reference: "of | any\nkind ₦" }), spend(1_00n));
  await seal();
  return shop;
}

/** Computes the chain as docs/wallet-proof.md says, from what the API shows. */
async function chainOf(shop: TestMerchant, upTo = Number.POSITIVE_INFINITY) {
  const { items } = await listWalletTransactions(shop.ctx, { limit: 100 });
  const rows = items.map(presentWalletTransaction).toReversed();
  const covered = rows.filter(({ seq }) => seq <= upTo);
  let last = "0".repeat(64);
  for (const row of covered) {
    const fields = [row.seq, row.id, row.direction, row.amount.toFixed(2), row.balance_after.toFixed(2), row.currency, row.created_at];
    last = createHash("sha256")
      .update([last, ...fields, row.type, row.reference ?? ""].join("|"))
      .digest("hex");
  }
  return { hash: last, count: covered.length };
}

test("a proof equals the chain that its merchant computes from its rows, at each head, without holds", async () => {
  const shop = await aSealedWallet();
  const newest = presentWalletProof(await getProof(shop.ctx, undefined));
  expect(newest).toMatchObject({ seq: 7, ...(await chainOf(shop)) });
  expect(newest.count).toBe(6);
  for (const [at, seq] of [
    [2, 2],
    [3, 2],
    [4, 4],
    [6, 4],
    [7, 7],
    [1_000, 7],
  ] as const) {
    const { hash, count, ...head } = await getProof(shop.ctx, BigInt(at));
    expect(Number(head.seq)).toBe(seq);
    expect({ hash, count: Number(count) }).toEqual(await chainOf(shop, seq));
  }
  await expect(getProof(shop.ctx, 1n)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
});

test("a wallet without sealed entries has no proof, and another merchant's proof is not affected by it", async () => {
  const [shop, other] = [await aMerchant(), await aSealedWallet()];
  await seal();
  await expect(getProof(shop.ctx, undefined)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
  await post(shop.merchant.id, credit(1));
  await expect(getProof(shop.ctx, undefined)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
  expect((await getProof(other.ctx, undefined)).merchantId).toBe(other.merchant.id);
});

test("the chain has the same end wherever its seals are made and however many workers make them", async () => {
  const someCounts = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(someCounts, async (counts) => {
      const shop = await aMerchant();
      for (const count of counts) {
        await post(shop.merchant.id, ...Array.from({ length: count }, () => credit(1)));
        await Promise.all([seal(), seal()]);
      }
      expect(presentWalletProof(await getProof(shop.ctx, undefined))).toMatchObject(await chainOf(shop));
    }),
    { numRuns: 15 },
  );
  expect(await checkSeals(sql(), { isSigned: isSignedByUs })).toMatchObject({ found: 0 });
});

test("entries that are posted while the sweep runs are sealed by it or by the next, without a gap", async () => {
  const shop = await aMerchant();
  await Promise.all([...times(20, () => post(shop.merchant.id, credit(1), credit(2))), ...times(10, seal)]);
  await seal();
  expect(presentWalletProof(await getProof(shop.ctx, undefined))).toMatchObject({ seq: 40, ...(await chainOf(shop)) });
  expect(await checkSeals(sql(), { isSigned: isSignedByUs })).toMatchObject({ found: 0 });
});

/** Changes tables as the owner of the database can: without the triggers. */
async function asOwner(change: (tx: Parameters<Parameters<Sql["begin"]>[1]>[0]) => Promise<unknown>): Promise<void> {
  const tables = ["ledger_entries", "ledger_transfers", "wallet_seals"];
  await sql().begin(async (tx) => {
    for (const table of tables) await tx`alter table ${tx(table)} disable trigger all`;
    await change(tx);
    for (const table of tables) await tx`alter table ${tx(table)} enable trigger all`;
  });
}

async function findingsOf(shop: TestMerchant, against: WalletHead[] = []): Promise<string[]> {
  const { findings } = await checkSeals(sql(), { isSigned: isSignedByUs, against });
  return findings.filter(({ merchantId }) => merchantId === shop.merchant.id).map(({ seq, problem }) => `${seq}: ${problem}`);
}

const NOT_AS_SEALED = "4: an entry behind 2 and up to this one is not what was sealed";
const missingBehind = (seq: number, seal = 4) => `${seal}: an entry behind ${seq} is missing, and this seal covers it`;

test.each([
  [
    "whose amount was changed",
    "update ledger_entries set posted = posted + 1 where merchant_id = $1 and account = 'wallet' and seq = 4",
    NOT_AS_SEALED,
  ],
  [
    "whose balance was changed",
    "update ledger_entries set balance_after = 0 where merchant_id = $1 and account = 'wallet' and seq = 4",
    NOT_AS_SEALED,
  ],
  [
    "whose side was changed",
    "update ledger_entries set side = 'credit' where merchant_id = $1 and account = 'wallet' and seq = 4",
    NOT_AS_SEALED,
  ],
  [
    "whose time was changed",
    "update ledger_entries set created_at = created_at + interval '1 ms' where merchant_id = $1 and account = 'wallet' and seq = 4",
    NOT_AS_SEALED,
  ],
  [
    "of which the purpose was changed",
    "update ledger_transfers set meta = '{\"type\": \"other\"}' where merchant_id = $1 and id = (select transfer_id from ledger_entries where merchant_id = $1 and account = 'wallet' and seq = 4)",
    NOT_AS_SEALED,
  ],
  [
    "that was made a hold",
    "update ledger_entries set posted = 0, pending = 1 where merchant_id = $1 and account = 'wallet' and seq = 4",
    NOT_AS_SEALED,
  ],
  ["that was removed", "delete from ledger_entries where merchant_id = $1 and account = 'wallet' and seq = 4", missingBehind(3)],
  [
    "that was removed in the middle",
    "delete from ledger_entries where merchant_id = $1 and account = 'wallet' and seq = 3",
    missingBehind(2),
  ],
  [
    "that was removed between two others",
    "delete from ledger_entries where merchant_id = $1 and account = 'wallet' and seq = 6",
    missingBehind(4, 7),
  ],
  [
    "that was given to another transfer",
    "update ledger_entries set transfer_id = (select transfer_id from ledger_entries where merchant_id = $1 and account = 'wallet' and seq = 1) where merchant_id = $1 and account = 'wallet' and seq = 4",
    NOT_AS_SEALED,
  ],
])("a sealed entry %s is found, and only the seal that covers it is named", async (_how, change, finding) => {
  const shop = await aSealedWallet();
  expect(await findingsOf(shop)).toEqual([]);
  await asOwner((tx) => tx.unsafe(change, [shop.merchant.id]));
  expect(await findingsOf(shop)).toEqual([finding]);
});

test("two entries that were swapped are found", async () => {
  const shop = await aSealedWallet();
  await asOwner(async (tx) => {
    for (const [from, to] of [
      [5, 1_000],
      [6, 5],
      [1_000, 6],
    ] as const)
      await tx`update ledger_entries set seq = ${to} where merchant_id = ${shop.merchant.id} and account = 'wallet' and seq = ${from}`;
  });
  expect(await findingsOf(shop)).toEqual(["7: an entry behind 4 and up to this one is not what was sealed"]);
});

test("a history that was written anew together with its hashes is found, because the seals have no signature of ours", async () => {
  const shop = await aSealedWallet();
  const [before] = await sql()`select hash, count from wallet_seals where merchant_id = ${shop.merchant.id} and seq = 7`;
  await asOwner(
    (tx) => tx`update wallet_seals set sealed_at = sealed_at + interval '1 second' where merchant_id = ${shop.merchant.id} and seq = 7`,
  );
  expect(await findingsOf(shop)).toEqual(["7: the seal was not signed with the key of this installation"]);
  expect(before).toBeDefined();
  await asOwner((tx) => tx`update wallet_seals set key_id = 'another' where merchant_id = ${shop.merchant.id} and seq = 4`);
  expect(await findingsOf(shop)).toContain("4: the seal was not signed with the key of this installation");
});

test("an end that was removed with its seals, and an old copy, are found against kept heads, and a sound wallet is not", async () => {
  const shop = await aSealedWallet();
  const kept: WalletHead[] = [];
  for await (const head of listWalletHeads(systemContext("test"))) if (head.merchantId === shop.merchant.id) kept.push(head);
  expect(kept).toEqual([{ merchantId: shop.merchant.id, seq: 7n, hash: (await chainOf(shop)).hash }]);
  await post(shop.merchant.id, credit(1));
  await seal();
  expect(await findingsOf(shop, kept)).toEqual([]);
  await asOwner(async (tx) => {
    await tx`delete from ledger_entries where merchant_id = ${shop.merchant.id} and account = 'wallet' and seq > 4`;
    await tx`delete from wallet_seals where merchant_id = ${shop.merchant.id} and seq > 4`;
  });
  expect(await findingsOf(shop)).toEqual([]);
  expect(await findingsOf(shop, kept)).toEqual([
    "7: a seal of this entry was kept outside, and there is none: the end was removed, or this is an old copy",
  ]);
  expect(await findingsOf(shop, [{ merchantId: shop.merchant.id, seq: 4n, hash: "f".repeat(64) }])).toEqual([
    "4: a seal of this entry was kept outside, and there is another one: the history was written anew",
  ]);
});

test("a wallet whose last seal does not match its signature is not sealed further, and its new entries have no proof", async () => {
  const shop = await aSealedWallet();
  await asOwner((tx) => tx`update wallet_seals set hash = ${"f".repeat(64)} where merchant_id = ${shop.merchant.id} and seq = 7`);
  await post(shop.merchant.id, credit(1));
  await seal();
  expect(await sql()`select seq from wallet_seals where merchant_id = ${shop.merchant.id} and seq > 7`).toHaveLength(0);
});

test("after a change of the secret key a wallet is sealed further, and the seals of the earlier key are named", async () => {
  const shop = await aSealedWallet();
  await asOwner((tx) => tx`update wallet_seals set key_id = 'earlier', signature = 'x' where merchant_id = ${shop.merchant.id}`);
  await post(shop.merchant.id, credit(1));
  await seal();
  expect((await getProof(shop.ctx, undefined)).seq).toBe(8n);
  expect(presentWalletProof(await getProof(shop.ctx, 7n)).public_key).toBeNull();
  expect(await findingsOf(shop)).toEqual([2, 4, 7].map((seq) => `${seq}: the seal was not signed with the key of this installation`));
});

test("a removed transfer is found, and hides no finding about another wallet", async () => {
  const [broken, changed] = (await Promise.all([aSealedWallet(), aSealedWallet()])).toSorted((a, b) =>
    a.merchant.id < b.merchant.id ? -1 : 1,
  );
  if (!broken || !changed) throw new Error("no wallets");
  await asOwner(async (tx) => {
    await tx`delete from ledger_transfers where merchant_id = ${broken.merchant.id} and id = (
      select transfer_id from ledger_entries where merchant_id = ${broken.merchant.id} and account = 'wallet' and seq = 4)`;
    await tx`update ledger_entries set posted = posted + 1 where merchant_id = ${changed.merchant.id} and account = 'wallet' and seq = 4`;
  });
  expect(await findingsOf(broken)).toEqual(["4: the transfer of entry 4 is missing, and this seal covers it"]);
  expect(await findingsOf(changed)).toEqual([NOT_AS_SEALED]);
});

test("text that was moved from the reference to the type of an entry is found", async () => {
  const shop = await aMerchant();
  await post(shop.merchant.id, credit(1, { type: "payment_link", reference: "x|y" }));
  await seal();
  await asOwner(
    (tx) => tx`update ledger_transfers set meta = '{"type": "payment_link|x", "reference": "y"}' where merchant_id = ${shop.merchant.id}`,
  );
  expect(await findingsOf(shop)).toEqual(["1: an entry behind 0 and up to this one is not what was sealed"]);
});

test("seals cannot be changed, deleted or emptied", async () => {
  const shop = await aSealedWallet();
  const { id } = shop.merchant;
  await expect(sql()`update wallet_seals set count = 0 where merchant_id = ${id}`).rejects.toThrow(/append-only/);
  await expect(sql()`delete from wallet_seals where merchant_id = ${id}`).rejects.toThrow(/append-only/);
  await expect(sql()`truncate wallet_seals`).rejects.toThrow(/append-only/);
});

test("a wallet that cannot be sealed delays no other", async () => {
  const [broken, sound] = [await aMerchant(), await aMerchant()];
  await post(broken.merchant.id, credit(1));
  await asOwner((tx) => tx`delete from ledger_entries where merchant_id = ${broken.merchant.id}`);
  await post(sound.merchant.id, credit(1));
  await seal();
  expect((await getProof(sound.ctx, undefined)).seq).toBe(1n);
  await expect(getProof(broken.ctx, undefined)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
});

test("a sweep that takes fewer merchants than there are continues with the next ones", async () => {
  const shops = [];
  for (let n = 0; n < 3; n++) shops.push(await aMerchant());
  for (const { merchant } of shops) await post(merchant.id, credit(1));
  const [counted] = await sql()`select count(*)::int as merchants from event_counters`;
  for (let looked = 0; looked <= (counted?.merchants ?? 0) + 2; looked += 2) await sealWallets(systemContext("test"), 2);
  for (const { ctx } of shops) expect((await getProof(ctx, undefined)).seq).toBe(1n);
});

test("amounts of any size are written with two digits", async () => {
  const shop = await aMerchant();
  await post(shop.merchant.id, { ...credit(1), amount: money(123_456_789_012_305n, "NGN") } as Transfer);
  await seal();
  expect(presentWalletProof(await getProof(shop.ctx, undefined))).toMatchObject(await chainOf(shop));
});
