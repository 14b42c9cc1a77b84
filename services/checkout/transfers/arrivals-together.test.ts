import fc from "fast-check";
import { expect, test } from "vitest";
import { db, sql, transaction } from "#db/client.ts";
import { MINUTE_MS } from "#lib/time.ts";
import type { BankNotice } from "#providers/bank.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { isLockAwaited, lockWaiters } from "#testing/locks.ts";
import { times, until } from "#testing/until.ts";
import { systemContext } from "../../context.ts";
import { appendEvent } from "../../events/index.ts";
import { RECEIVABLE, SUSPENSE, WALLET } from "../../ledger/index.ts";
import { kobo, post } from "../../ledger/ledger.fixture.ts";
import { aMerchant } from "../../merchants/merchant.fixture.ts";
import { aLink, hear, noticeOf, walletOf } from "../checkout.fixture.ts";
import type { LinkArrival } from "./arrival.ts";
import { receiveInOrder } from "./receive-transfer.ts";
import { takeNotice } from "./take-notice.ts";

withDatabase();
withApp();

const DUE = 5_000_00n;
const EXPIRY = new Date("2026-03-01T12:30:00.000Z");
const CREATED = new Date(EXPIRY.getTime() - 30 * MINUTE_MS);

/** Two pending links, one that is expired and was replaced, and its replacement. */
const LINKS = [
  { status: "pending", replaces: null, replacedBy: null },
  { status: "pending", replaces: null, replacedBy: null },
  { status: "expired", replaces: null, replacedBy: 3 },
  { status: "pending", replaces: 2, replacedBy: null },
];

interface Shop {
  merchantId: string;
  /** Begins all names that the shop's things have, so that two shops can be compared. */
  tag: string;
}

/** Returns a merchant that owes a little, with `LINKS`. */
async function aShop(tag: string): Promise<Shop> {
  const { merchant } = await aMerchant();
  await post(merchant.id, { kind: "post", key: "debt", debit: WALLET, credit: SUSPENSE, amount: kobo(7_500_00), overflow: RECEIVABLE });
  for (const [n, { status, replaces, replacedBy }] of LINKS.entries()) {
    await sql()`
      insert into payment_links (merchant_id, id, reference, amount, status, provider, provider_reference, account_number, account_name, bank_name,
        checkout_url, made_by, created_at, expires_at, replaces, first_link_id, replaced_by)
      values (${merchant.id}, ${`${tag}-link-${n}`}, ${`${tag}-ref-${n}`}, ${String(DUE)}::text::bigint, ${status}, 'sandbox', 'x', 'x', 'x', 'x', 'x',
        'system:test', ${CREATED.toISOString()}, ${EXPIRY.toISOString()},
        ${replaces === null ? null : `${tag}-ref-${replaces}`}, ${replaces === null ? null : `${tag}-link-${replaces}`}, ${replacedBy === null ? null : `${tag}-ref-${replacedBy}`})`;
  }
  for (const [n, { status }] of LINKS.entries()) {
    if (status === "expired") await transaction((tx) => appendEvent(tx, merchant.id, "checkout.expired", { reference: `${tag}-ref-${n}` }));
  }
  return { merchantId: merchant.id, tag };
}

interface Told {
  link: number;
  session: number;
  amount: bigint;
  lateByMs: number;
  returnedBecause: BankNotice["returnedBecause"];
}

const aTold: fc.Arbitrary<Told> = fc.record({
  link: fc.constantFrom(0, 0, 1, 1, 2, 3),
  session: fc.nat(11),
  amount: fc.oneof({ weight: 5, arbitrary: fc.constant(DUE) }, { weight: 1, arbitrary: fc.constantFrom(DUE - 1n, DUE + 1n) }),
  lateByMs: fc.constantFrom(-1, -1, -1, -5_000, 0),
  returnedBecause: fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.constant("recalled" as const) },
    { weight: 1, arbitrary: fc.constantFrom("underpaid" as const, "overpaid" as const, "late" as const, "duplicate" as const) },
  ),
});

const arrivalAt =
  ({ merchantId, tag }: Shop) =>
  ({ link, session, amount, lateByMs, returnedBecause }: Told, n: number): LinkArrival => ({
    ...{ provider: "sandbox", merchantId, linkId: `${tag}-link-${link}`, transferId: `${tag}-transfer-${String(n).padStart(2, "0")}` },
    notice: {
      ...{
        noticeId: `${tag}-${n}`,
        sessionId: `${tag}-session-${session}`,
        accountReference: `${tag}-account-${link}`,
        accountNumber: null,
        returnedBecause,
      },
      ...{ amount: kobo(amount), senderName: "Chidi Eze", senderBank: null, senderAccountLast4: null },
      receivedAt: new Date(EXPIRY.getTime() + lateByMs),
    },
  });

/** Returns all that is kept of a shop, without its names and without the times at which it was kept. */
async function keptOf({ merchantId, tag }: Shop): Promise<unknown> {
  const query = sql();
  const kept = {
    links: await query`
      select id, status, paid_at, recalled_at is not null as recalled, expires_at from payment_links where merchant_id = ${merchantId} order by id`,
    transfers: await query`
      select id, link_id, session_id, amount::text, classification, disposition, return_state, received_at
      from bank_transfers where merchant_id = ${merchantId} order by id`,
    events: await query`
      select sequence::text, type, data::jsonb || jsonb_build_object('recalled_at', data->>'recalled_at' is not null) as data
      from events where merchant_id = ${merchantId} order by sequence`,
    alerts:
      await query`select type, message, resource_id from alerts where merchant_id = ${merchantId} order by type, message, resource_id, cause`,
    entries: await query`
      select e.account, e.seq::text, t.key, t.kind, t.meta, e.side, e.posted::text, e.balance_after::text
      from ledger_entries e join ledger_transfers t on t.merchant_id = e.merchant_id and t.id = e.transfer_id
      where e.merchant_id = ${merchantId} order by e.account, e.seq`,
  };
  return JSON.parse(
    JSON.stringify(kept)
      .replaceAll(tag, "shop")
      .replaceAll(/ltr_\w+/g, "transfer"),
  );
}

let shops = 0;

test("a batch of transfers has the same result as its transfers one by one: links, classification, ledger, events and alerts", async () => {
  const seen = new Set<string>();
  const batches = fc.array(fc.array(aTold, { minLength: 1, maxLength: 10 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(batches, async (told) => {
      const [together, apart] = [await aShop(`t${shops}x`), await aShop(`a${shops++}x`)];
      let n = 0;
      for (const batch of told) {
        const at = n;
        n += batch.length;
        await receiveInOrder(
          "",
          batch.map((one, i) => arrivalAt(together)(one, at + i)),
        );
        for (const [i, one] of batch.entries()) await receiveInOrder("", [arrivalAt(apart)(one, at + i)]);
      }
      const kept = await keptOf(together);
      expect(kept).toEqual(await keptOf(apart));
      for (const { type } of (kept as { events: { type: string }[] }).events) seen.add(type);
      for (const { classification } of (kept as { transfers: { classification: string }[] }).transfers) seen.add(classification);
      for (const { kind } of (kept as { entries: { kind: string }[] }).entries) seen.add(kind);
      for (const { type } of (kept as { alerts: { type: string }[] }).alerts) seen.add(type);
    }),
    { seed: 4, numRuns: 60, endOnFailure: true },
  );
  await expectInvariantsToHold();
  // The batches met all that can happen.
  expect([...seen].toSorted()).toEqual(
    [
      ...["checkout.success", "checkout.transfer_rejected", "checkout.transfer_recalled", "checkout.expired"],
      ...["exact", "underpaid", "overpaid", "late", "duplicate", "post", "recover", "reverse"],
      ...["checkout.transfer_returned", "wallet.debt"],
    ].toSorted(),
  );
}, 400_000);

/** Returns how many transactions wrote the transfers of a merchant. */
const commitsOf = async (merchantId: string) =>
  (await sql()`select distinct xmin::text from bank_transfers where merchant_id = ${merchantId}`).length;

test("notices of many payers that a bank sends at once share commits, each is credited once, and each has its event", async () => {
  const shop = await aMerchant();
  const links = await Promise.all(times(60, () => aLink(shop)));
  const notices = links.map((link) => noticeOf(link));
  await Promise.all([...notices, ...notices].map((notice) => takeNotice(systemContext("test"), "sandbox", notice)));
  expect((await walletOf(shop)).minor).toBe(60n * DUE);
  const events = await sql()`select sequence from events where merchant_id = ${shop.merchant.id} and type = 'checkout.success'`;
  expect(events).toHaveLength(60);
  expect(await commitsOf(shop.merchant.id)).toBeLessThan(20);
  const [left] = await sql()`
    select count(*)::int as count from provider_notices where processed_at is null and notice_id in ${sql()(notices.map(({ noticeId }) => noticeId))}`;
  expect(left?.count).toBe(0);
  await expectInvariantsToHold();
});

test("a notice that cannot be processed fails alone, and those beside it are credited", async () => {
  const shop = await aMerchant();
  const links = await Promise.all(times(8, () => aLink(shop)));
  const [broken, ...others] = links;
  // The database refuses a link that is paid and was recalled before.
  await sql()`alter table payment_links add constraint refuse_one check (id <> ${sql().unsafe(`'${broken?.id}'`)} or status <> 'success')`;
  const outcomes = await Promise.allSettled(links.map((link) => hear(noticeOf(link))));
  await sql()`alter table payment_links drop constraint refuse_one`;
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", ...others.map(() => "fulfilled")]);
  expect((await walletOf(shop)).minor).toBe(BigInt(others.length) * DUE);
  await expectInvariantsToHold();
});

test("a batch waits for a session that another process is storing, and credits that session and all others once", async () => {
  const shop = await aMerchant();
  const links = await Promise.all(times(3, () => aLink(shop)));
  const [first, second, third] = links.map((link) => noticeOf(link));
  if (!first || !second || !third) throw new Error("no links");
  const arrivals = [first, second, third].map((notice, n) => ({
    ...{ provider: "sandbox", merchantId: shop.merchant.id, transferId: `${shop.merchant.id}-${n}`, linkId: links[n]?.id ?? "", notice },
  }));
  const [theirs] = arrivals.slice(1, 2);
  if (!theirs) throw new Error("no arrival");
  const waiting = await sql().begin(async (tx) => {
    await tx`select from payment_links where merchant_id = ${shop.merchant.id} and id = ${theirs.linkId} for update`;
    const other = receiveInOrder("", [{ ...theirs, transferId: `${shop.merchant.id}-theirs` }]);
    await until(isLockAwaited);
    const lane = Promise.allSettled([receiveInOrder("", arrivals)]);
    await until(async () => (await lockWaiters()) >= 2);
    return { other, lane };
  });
  await waiting.other;
  // `Batches` runs it again, one by one.
  expect((await waiting.lane)[0]?.status).toBe("rejected");
  for (const arrival of arrivals) await receiveInOrder("", [arrival]);
  expect((await walletOf(shop)).minor).toBe(3n * DUE);
  const sessions = await db().execute(`select transfer_id from bank_sessions where merchant_id = '${shop.merchant.id}'`);
  expect(sessions.map(({ transfer_id }) => transfer_id)).toContain(`${shop.merchant.id}-theirs`);
  await expectInvariantsToHold();
});
