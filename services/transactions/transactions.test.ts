import { beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { newId, withoutPrefix } from "#lib/ids.ts";
import { newPurchaseId } from "#lib/references.ts";
import { SECOND_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { rowsRead } from "#testing/rows-read.ts";
import { storeLinks } from "../checkout/links/links-in-bulk.fixture.ts";
import type { MerchantContext, Role } from "../context.ts";
import { aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { ListTransactionsQuery, listTransactions, TRANSACTION_STATES, type Transaction, type TransactionState } from "./index.ts";

withDatabase(undefined, { DATABASE_POOL_SIZE: "1" });

/** Of each kind, one every ten seconds, and each kind a second after the one before. */
const MANY = 10_000;
const EVERY_MS = 10 * SECOND_MS;
const END = new Date("2026-03-01T00:00:00.000Z");
const timeOf = (n: number, afterMs: number) => END.getTime() - (MANY - 1 - n) * EVERY_MS + afterMs;
const TABLES = ["payment_links", "card_operations", "card_transactions", "purchases"];
const KIND_OF = { pl: "payment_link", cop: "card_operation", ctx: "card_spend", vtu: "purchase" };

interface Stored {
  id: string;
  state: TransactionState;
  at: string;
}

let shop: TestMerchant;
/** All that the list shows, newest first. */
let stored: Stored[];

beforeAll(async () => {
  shop = await aMerchant();
  const { id } = shop.merchant;
  stored = [...(await addLinks(id)), ...(await addOperations(id)), ...(await addSpend(id)), ...(await addPurchases(id))].sort((a, b) =>
    withoutPrefix(a.id) < withoutPrefix(b.id) ? 1 : -1,
  );
  await addPurchases((await aMerchant()).merchant.id);
  await sql()`analyze`;
});

async function addLinks(merchantId: string): Promise<Stored[]> {
  const status = (n: number) => (n % 2 === 0 ? ("success" as const) : ("expired" as const));
  const ids = await storeLinks(merchantId, { count: MANY, everyMs: EVERY_MS, until: END, status });
  return ids.map((id, n) => ({ id, state: n % 2 === 0 ? "completed" : "expired", at: new Date(timeOf(n, 0)).toISOString() }));
}

type NewRow = Stored & { n: number };

const rowsOf = (
  kind: "cardOperation" | "cardTransaction" | "purchase",
  afterMs: number,
  state: (n: number) => TransactionState,
): NewRow[] =>
  Array.from({ length: MANY }, (_, n) => {
    const at = timeOf(n, afterMs);
    return { id: kind === "purchase" ? newPurchaseId(1, at) : newId(kind, at), n, state: state(n), at: new Date(at).toISOString() };
  });

async function addOperations(merchantId: string): Promise<Stored[]> {
  const rows = rowsOf("cardOperation", 1_000, (n) => (n % 100 === 1 ? "failed" : "completed"));
  await sql()`
    insert into cardholders (merchant_id, id, reference, first_name, last_name, email, provider, made_by)
    values (${merchantId}, 1, 'ch_1', 'Ngozi', 'Eze', 'n@cards.example', 'sandbox', 'system:test')`;
  await sql()`
    insert into cards (merchant_id, id, cardholder_id, brand, nickname, provider, made_by) values (${merchantId}, 'card_1', 1, 'VISA', 'Ads', 'sandbox', 'system:test')`;
  await sql()`
    insert into card_operations (merchant_id, id, card_id, type, status, reference, amount, fee, wallet_amount, exchange_rate, mid_rate, failure_reason, made_by, created_at, completed_at)
    select ${merchantId}, r.id, 'card_1', case n % 4 when 0 then 'freeze' when 2 then 'unload' else 'fund' end::card_operation_type,
      r.state::card_operation_status, r.id, 100, 0, 160000, 1, 1, case when r.state = 'failed' then 'x' end, 'system:test', at, at
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (id text, n int, at timestamptz, state text)`;
  return rows.filter(({ n }) => n % 4 !== 0);
}

async function addSpend(merchantId: string): Promise<Stored[]> {
  const rows = rowsOf("cardTransaction", 2_000, (n) => (n === 5 ? "reversed" : "completed"));
  await sql()`
    insert into card_transactions (merchant_id, card_id, id, provider_transaction_id, type, status, amount, currency, merchant_name, occurred_at, created_at)
    select ${merchantId}, 'card_1', r.id, r.id, case when n % 10 = 0 then 'REFUND' else 'CLEARING' end::card_transaction_type,
      upper(state)::card_transaction_status, 100, 'USD', 'Netflix', at, at
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (id text, n int, at timestamptz, state text)`;
  return rows;
}

async function addPurchases(merchantId: string): Promise<Stored[]> {
  const rows = rowsOf("purchase", 3_000, (n) => (n % 50 === 0 ? "failed" : "completed"));
  await sql()`
    insert into purchases (merchant_id, id, service, status, provider, product_id, product_code, product_name, recipient, quantity, unit_price, amount,
      charged, failure_reason, secrets, made_by, created_at, completed_at)
    select ${merchantId}, r.id, 'airtime', case state when 'failed' then 'failed' else 'success' end::purchase_status, 'sandbox', 1, 'x', 'MTN airtime',
      '+2348030000000', 1, 100, 100, case state when 'failed' then 0 else 100 end, case state when 'failed' then 'x' end, 'sealed', 'system:test', at, at
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (id text, at timestamptz, state text)`;
  return rows;
}

const as = (role: Role, changes: Partial<MerchantContext["merchant"]> = {}): MerchantContext => ({
  ...shop.ctx,
  actor: { type: "member", id: "usr_1" },
  role,
  merchant: { ...shop.ctx.merchant, ...changes },
});
const list = (query: Partial<ListTransactionsQuery> = {}, ctx = as("viewer")) => listTransactions(ctx, { limit: 20, ...query });
const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);
const isOf = (prefix: string) => (row: Stored) => row.id.startsWith(`${prefix}_`);

/** Returns how many rows of all four tables one run reads. */
async function readsOf(run: () => Promise<unknown>, [table, ...others] = TABLES): Promise<number> {
  if (table === undefined) return 0;
  let ofOthers = 0;
  const own = await rowsRead(table, async () => {
    if (others.length === 0) await run();
    else ofOthers = await readsOf(run, others);
  });
  return own + ofOthers;
}

test("four kinds of rows are one list, newest first, and a page reads as many rows of each table as it shows", async () => {
  const reads = await readsOf(async () => expect(idsOf((await list()).items)).toEqual(idsOf(stored.slice(0, 20))));
  // Rows are found by an index, and read again with their names.
  expect(reads).toBeLessThan(4 * 21 * 3);
});

test("each row has the names of what it is about, its amounts, direction and state, and no secret", async () => {
  const { items } = await list({ limit: 8 });
  const [purchase, spend, fund, link] = ["vtu", "ctx", "cop", "pl"].map((prefix) => items.find(({ id }) => id.startsWith(`${prefix}_`)));
  const card = { id: "card_1", brand: "VISA", nickname: "Ads", last4: null, cardholder: { firstName: "Ngozi", lastName: "Eze" } };
  expect(link).toMatchObject({
    kind: "payment_link",
    state: "expired",
    direction: "credit",
    reference: expect.any(String),
    customerName: null,
  });
  expect(fund).toMatchObject({ kind: "card_operation", type: "fund", direction: "debit", state: "completed", card });
  expect(fund).toMatchObject({ amount: { minor: 100n, currency: "USD" }, walletAmount: { minor: 160_000n, currency: "NGN" } });
  expect(spend).toMatchObject({ kind: "card_spend", type: "CLEARING", direction: "debit", merchantName: "Netflix", card });
  expect(purchase).toMatchObject({ kind: "purchase", service: "airtime", productName: "MTN airtime", recipient: "+2348030000000" });
  expect(Object.keys(purchase ?? {})).not.toContain("secrets");
  const givesBack = (await list({ limit: 100 })).items.filter(({ direction }) => direction === "credit");
  expect(new Set(givesBack.map((row) => ("type" in row ? row.type : row.kind)))).toEqual(new Set(["payment_link", "unload", "REFUND"]));
});

test("pages lead through the whole list and back, without a row missing or twice", async () => {
  const wanted = idsOf(stored.slice(0, 700));
  const down: string[] = [];
  let page = await list({ limit: 70 });
  for (let pages = 1; ; pages++) {
    down.push(...idsOf(page.items));
    if (pages === 10 || page.nextCursor === null) break;
    page = await list({ limit: 70, cursor: page.nextCursor });
  }
  expect(down).toEqual(wanted);
  const up = idsOf(page.items);
  while (page.previousCursor !== null) {
    page = await list({ limit: 70, cursor: page.previousCursor });
    up.unshift(...idsOf(page.items));
  }
  expect(up).toEqual(wanted);
  const created_before = new Date(timeOf(3, 0));
  const last = await list({ limit: 100, created_before });
  expect(idsOf(last.items)).toEqual(idsOf(stored.filter(({ at }) => at < created_before.toISOString())));
  expect(last.nextCursor).toBeNull();
});

test.each([
  ["checkout", ["pl"]],
  ["cards", ["cop", "ctx"]],
  ["vtu", ["vtu"]],
] as const)("the area %s has its own rows, of a time and of a state", async (area, prefixes) => {
  const own = stored.filter((row) => prefixes.some((prefix) => isOf(prefix)(row)));
  expect(idsOf((await list({ area })).items)).toEqual(idsOf(own.slice(0, 20)));
  const [from, to] = [new Date(timeOf(1_000, 0)), new Date(timeOf(1_010, 0))];
  const within = own.filter(({ at }) => at >= from.toISOString() && at < to.toISOString());
  expect(within.length).toBeGreaterThanOrEqual(10);
  expect(idsOf((await list({ area, created_after: from, created_before: to })).items)).toEqual(idsOf(within));
  const completed = own.filter(({ state }) => state === "completed");
  expect(idsOf((await list({ area, state: "completed" })).items)).toEqual(idsOf(completed.slice(0, 20)));
});

test("rows of a rare state are found over several answers of bounded reads, each saying how far it looked", async () => {
  const wanted = idsOf(stored.filter(({ state }) => state === "failed"));
  const found: string[] = [];
  const looked: Date[] = [];
  let cursor: string | undefined;
  for (let answers = 0; answers < 40; answers++) {
    let next: string | null = null;
    const reads = await readsOf(async () => {
      const page = await list({ state: "failed", limit: 50, ...(cursor && { cursor }) });
      found.push(...idsOf(page.items));
      if (page.searchedTo) looked.push(page.searchedTo);
      next = page.nextCursor;
    });
    expect(reads).toBeLessThanOrEqual(15_000);
    if (next === null) break;
    cursor = next;
  }
  expect(found).toEqual(wanted);
  expect(looked.length).toBeGreaterThan(1);
  expect(looked).toEqual(looked.toSorted((a, b) => b.getTime() - a.getTime()));
});

test("an expired link does not count as failed, and a state that only one kind has is searched in that kind only", async () => {
  const [newest] = (await list({ state: "expired" })).items;
  expect(newest).toMatchObject({ kind: "payment_link", state: "expired" });
  expect(await readsOf(() => list({ state: "expired" }))).toBeLessThan(21 * 3);
  expect((await list({ state: "processing" })).items).toEqual([]);
});

test("areas that the merchant does not have, and those that a key may not read, are left out", async () => {
  const kindsOf = (items: Transaction[]) => [...new Set(items.map(({ kind }) => kind))].sort();
  expect(kindsOf((await list({ limit: 100 })).items)).toEqual(Object.values(KIND_OF).sort());
  expect(kindsOf((await list({ limit: 100 }, as("owner", { areas: ["vtu"] }))).items)).toEqual(["purchase"]);
  expect((await list({ area: "cards" }, as("owner", { areas: ["vtu"] }))).items).toEqual([]);
  const key = { ...shop.ctx, permissions: ["checkout:read", "wallet:read"] };
  expect(kindsOf((await list({ limit: 100 }, key)).items)).toEqual(["payment_link"]);
  expect((await list({}, { ...shop.ctx, permissions: [] })).items).toEqual([]);
});

test("another merchant and the other mode see nothing of these, and their cursors are refused", async () => {
  const { nextCursor } = await list();
  if (!nextCursor) throw new Error("one page only");
  const other = (await aMerchant()).merchant;
  for (const id of [other.id, shop.liveMerchantId]) {
    const stranger = as("owner", { id });
    expect((await list({}, stranger)).items).toEqual([]);
    await expect(list({ cursor: nextCursor }, stranger)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  }
  await expect(list({ cursor: "x" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

test("the query of the list refuses an unknown area, an unknown state and an unreadable time", () => {
  const time = "2026-03-01T00:00:00.000Z";
  expect(ListTransactionsQuery.parse({ area: "cards", state: "failed", created_after: time })).toEqual({
    ...{ limit: 20, area: "cards", state: "failed", created_after: new Date(time) },
  });
  for (const state of TRANSACTION_STATES) expect(ListTransactionsQuery.parse({ state })).toEqual({ limit: 20, state });
  for (const wrong of [{ area: "wallet" }, { state: "done" }, { created_after: "yesterday" }]) {
    expect(ListTransactionsQuery.safeParse(wrong).success).toBe(false);
  }
});
