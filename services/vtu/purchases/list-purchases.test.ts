import { beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { newPurchaseId } from "#lib/references.ts";
import { HOUR_MS, SECOND_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { rowsRead } from "#testing/rows-read.ts";
import { aMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import type { Page } from "../../pagination.ts";
import type { ListPurchasesQuery } from "../contract.ts";
import type { VisiblePurchase } from "../purchase.ts";
import { listPurchases } from "./list-purchases.ts";

withDatabase(undefined, { DATABASE_POOL_SIZE: "1" });

const MANY = 20_000;
const END = new Date("2026-03-01T00:00:00.000Z");
const FAILED_PHONE = "+2348031234567";

interface Stored {
  id: string;
  status: "success" | "failed";
  service: "airtime" | "electricity";
  recipient: string;
}

let shop: TestMerchant;
let stored: Stored[];
beforeAll(async () => {
  shop = await aMerchant();
  stored = await storePurchases(shop.merchant.id);
});

/** Stores 20,000 purchases, one every ten seconds. Every tenth failed, and every twentieth is of electricity. Returns them, newest first. */
async function storePurchases(merchantId: string): Promise<Stored[]> {
  const rows = Array.from({ length: MANY }, (_, n) => {
    const at = END.getTime() - (MANY - 1 - n) * 10 * SECOND_MS;
    const status: Stored["status"] = n % 10 === 0 ? "failed" : "success";
    const service: Stored["service"] = n % 20 === 1 || n === 40 ? "electricity" : "airtime";
    return {
      id: newPurchaseId(1, at),
      at: new Date(at).toISOString(),
      status,
      service,
      recipient: n < 30 ? FAILED_PHONE : "+2348030000000",
    };
  });
  await sql()`
    insert into purchases (merchant_id, id, service, status, provider, product_id, product_code, product_name, recipient, quantity, unit_price, amount,
      charged, failure_reason, made_by, created_at, completed_at)
    select ${merchantId}, r.id, r.service::vtu_service, r.status::purchase_status, 'sandbox', 1, 'x', 'x', r.recipient, 1, 100, 100,
      case when r.status = 'success' then 100 else 0 end, case when r.status = 'failed' then 'x' end, 'system:test', r.at, r.at
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (id text, at timestamptz, status text, service text, recipient text)`;
  await sql()`analyze purchases`;
  return rows.toReversed();
}

const list = (query: Partial<ListPurchasesQuery> = {}): Promise<Page<VisiblePurchase>> => listPurchases(shop.ctx, { limit: 20, ...query });
const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);

test.each<[string, Partial<ListPurchasesQuery>, (purchase: Stored) => boolean]>([
  ["the newest", {}, () => true],
  ["failed ones", { status: "failed" }, ({ status }) => status === "failed"],
  ["electricity", { service: "electricity" }, ({ service }) => service === "electricity"],
  ["one recipient", { recipient: "0803 123 4567" }, ({ recipient }) => recipient === FAILED_PHONE],
  ["successful airtime", { service: "airtime", status: "success" }, ({ service, status }) => service === "airtime" && status === "success"],
])("a page of %s reads about as many rows as it shows, of 20,000", async (_name, query, isWanted) => {
  const rows = await rowsRead("purchases", async () => {
    expect(idsOf((await list(query)).items)).toEqual(idsOf(stored.filter(isWanted)).slice(0, 20));
  });
  expect(rows).toBeLessThan(150);
});

test("purchases of a time are found by their ids, from the first and before the last millisecond", async () => {
  const [after, before] = [new Date(END.getTime() - 30 * HOUR_MS), new Date(END.getTime() - 30 * HOUR_MS + 30 * SECOND_MS)];
  const rows = await rowsRead("purchases", async () => {
    const { items } = await list({ created_after: after, created_before: before });
    expect(items.map(({ createdAt }) => createdAt.getTime() - after.getTime())).toEqual([20, 10, 0].map((s) => s * SECOND_MS));
  });
  expect(rows).toBeLessThan(150);
});

test("a filter that no index serves reads 5,000 rows for each answer, and no purchase is missed", async () => {
  const isWanted = ({ service, status }: Stored) => service === "electricity" && status === "failed";
  const query = { service: "electricity", status: "failed" } as const;
  // The index of failed purchases leads: it has 2,000 rows, so one answer sees them all.
  const page = await list(query);
  expect(idsOf(page.items)).toEqual(idsOf(stored.filter(isWanted)));
  expect(page).toMatchObject({ nextCursor: null, searchedTo: null });
  const pages = [await list({ status: "success", created_before: new Date(END.getTime() - (MANY - 40) * 10 * SECOND_MS) })];
  for (let cursor = pages[0]?.nextCursor; cursor; cursor = pages.at(-1)?.nextCursor) {
    pages.push(await list({ status: "success", created_before: new Date(END.getTime() - (MANY - 40) * 10 * SECOND_MS), cursor }));
  }
  expect(pages.flatMap(({ items }) => idsOf(items))).toEqual(idsOf(stored.slice(MANY - 39).filter(({ status }) => status === "success")));
});
