import { sql } from "#db/client.ts";
import type { SandboxAggregatorName } from "./aggregator-name.ts";
import { type Listed, PRICE_LIST } from "./price-list.ts";
import { Refused } from "./refusals.ts";

/** Returns the products that an aggregator sells now: the built-in list with later changes. */
export async function priceList(aggregator: SandboxAggregatorName): Promise<Listed[]> {
  const rows = await sql()<{ code: string; price: bigint | null; is_withdrawn: boolean }[]>`
    select code, price, is_withdrawn from sandbox.vtu_changes where house = ${aggregator}`;
  const changes = new Map(rows.map((row) => [row.code, row]));
  return PRICE_LIST.filter(({ code }) => !changes.get(code)?.is_withdrawn).map((item) => {
    const price = changes.get(item.code)?.price;
    return price ? { ...item, naira: Number(price) / 100 } : item;
  });
}

/** Changes the price of a product, or withdraws it. */
export async function changeList(
  aggregator: SandboxAggregatorName,
  code: string,
  change: { naira?: number | undefined; isWithdrawn: boolean },
): Promise<void> {
  const price = change.naira === undefined ? null : String(Math.round(change.naira * 100));
  await sql()`
    insert into sandbox.vtu_changes (house, code, price, is_withdrawn) values (${aggregator}, ${code}, ${price}::text::bigint, ${change.isWithdrawn})
    on conflict (house, code) do update set price = coalesce(excluded.price, vtu_changes.price), is_withdrawn = excluded.is_withdrawn`;
}

/** Returns the product with a code. Throws `Refused` if it is not sold, or not at that price. */
export async function expectOnList(
  aggregator: SandboxAggregatorName,
  { code, kobo, quantity }: { code: string; kobo: bigint; quantity: number },
): Promise<Listed> {
  const item = (await priceList(aggregator)).find((each) => each.code === code);
  if (!item) throw new Refused("no_such_product");
  if (item.naira !== undefined && kobo !== BigInt(Math.round(item.naira * 100)) * BigInt(quantity)) throw new Refused("price_changed");
  return item;
}
