import { sql } from "#db/client.ts";
import { naira, toMajorNumber } from "#lib/money.ts";
import { type MemberContext, systemContext } from "../context.ts";
import { aMember, asMember } from "../members/member.fixture.ts";
import type { TestMerchant } from "../merchants/merchant.fixture.ts";
import { aPhone, aVtuMerchant } from "../vtu/vtu.fixture.ts";
import type { BulkOrderTerms } from "./contract.ts";
import { buyDueBulkRows, confirmBulkOrder, getBulkOrder, listBulkRows, uploadBulkOrder } from "./index.ts";

export interface TestBuyer {
  shop: TestMerchant;
  ctx: MemberContext;
}

import type { BulkOrder } from "./read-bulk-orders.ts";

/** Returns a merchant with money at the sandbox, and an owner of its business. */
export async function aBulkBuyer(wallet = 1_000_000): Promise<TestBuyer> {
  const shop = await aVtuMerchant({ wallet });
  return { shop, ctx: await aMemberOf(shop) };
}

export const aMemberOf = async ({ ctx, merchant }: TestMerchant): Promise<MemberContext> =>
  asMember(ctx, await aMember(merchant.businessId, "owner"));

/** Returns a file of airtime, one row for each ending of a phone number. */
export const airtimeFile = (endings: string[], amount = "100"): string =>
  ["phone,network,amount", ...endings.map((ending) => `${aPhone(ending)},mtn,${amount}`)].join("\n");

/** The terms that confirm or resume an order without changes. */
export const termsOf = ({ toBuy }: BulkOrder, changes: Partial<BulkOrderTerms> = {}): BulkOrderTerms => ({
  expected_total: naira(toMajorNumber(toBuy)),
  duplicate_rows: [],
  skip_rows: [],
  ...changes,
});

/** Uploads and confirms a file of airtime. */
export async function aRunningOrder({ ctx }: TestBuyer, endings: string[], amount = "100"): Promise<BulkOrder> {
  const draft = await uploadBulkOrder(ctx, airtimeFile(endings, amount));
  return confirmBulkOrder(ctx, draft.id, termsOf(draft));
}

export const sweep = (withinMs?: number) => buyDueBulkRows(systemContext("test"), withinMs);

/** Repeats the worker's sweep until the order is no longer running. Between two sweeps, `endLeases` makes the order due again. */
export async function untilHalted(ctx: MemberContext, id: string, endLeases = dueAgain): Promise<BulkOrder> {
  for (;;) {
    await sweep();
    const order = await getBulkOrder(ctx, id);
    if (order.status !== "running") return order;
    await endLeases(id);
  }
}

/** Ends the lease on an order. The leases on its rows stay. */
export async function endOrderLease(id: string): Promise<void> {
  await sql()`update bulk_orders set locked_until = now() - interval '1 second' where id = ${id}`;
}

/** Ends the leases on an order and on its rows, as time does after a worker was killed. Several may do so at once: leases are locked in one order. */
export async function dueAgain(id: string): Promise<void> {
  await endOrderLease(id);
  await sql()`
    with leases as (
      select ctid from idempotency_keys where scope = 'bulk row' and key like ${`${id}:%`} and state = 'running' order by key for update
    )
    update idempotency_keys set locked_until = now() - interval '1 second' from leases where idempotency_keys.ctid = leases.ctid`;
}

export const rowsOf = async (ctx: MemberContext, id: string) => (await listBulkRows(ctx, id, { after: 0, limit: 500 })).rows;

/** Returns the merchant's purchases: how many, for how many recipients, and their price together in kobo. */
export async function boughtBy({ merchant }: TestMerchant): Promise<{ purchases: number; recipients: number; kobo: bigint }> {
  const [row] = await sql()<{ purchases: number; recipients: number; kobo: bigint }[]>`
    select count(*)::int as purchases, count(distinct recipient)::int as recipients, coalesce(sum(amount), 0)::bigint as kobo
    from purchases where merchant_id = ${merchant.id}`;
  if (!row) throw new Error("no count");
  return row;
}
