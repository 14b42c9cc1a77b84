import { sql as raw } from "drizzle-orm";
import { db, sql, type Tx } from "#db/client.ts";
import { log } from "#lib/log.ts";
import type { Aggregator, CatalogueItem } from "#providers/aggregator.ts";
import { AGGREGATOR_NAMES, aggregatorNamed } from "../providers/index.ts";
import { SYNC_AGAIN_AFTER_MS, SYNC_EVERY_MS } from "./schedule.ts";

export interface Synced {
  added: number;
  repriced: number;
  changed: number;
  withdrawn: number;
}

/** Reads the lists of aggregators that are due. Answers how many were. */
export async function syncDueCatalogues(): Promise<number> {
  await sql()`insert into catalogues (provider) select unnest(${AGGREGATOR_NAMES}::text[]) on conflict do nothing`;
  const due = await sql()<{ provider: string }[]>`
    update catalogues set next_sync_at = now() + ${SYNC_AGAIN_AFTER_MS} * interval '1 ms'
    where next_sync_at <= now() and provider = any(${AGGREGATOR_NAMES}::text[]) returning provider`;
  for (const { provider } of due) {
    const aggregator = aggregatorNamed(provider);
    if (aggregator) await syncCatalogue(aggregator);
  }
  return due.length;
}

/**
 * Makes our list what the aggregator's is: what is new is added, what costs something else is repriced and its old price kept, what is
 * gone is withdrawn, and what is back is sold again under the id that it had. A list that cannot be read whole, or is empty, changes nothing.
 */
export async function syncCatalogue(aggregator: Aggregator): Promise<Synced | undefined> {
  const list = await aggregator.listProducts();
  if (list.status !== "found" || list.found.length === 0) {
    log().error({ provider: aggregator.name }, "an aggregator's list could not be read; the one that we have stays");
    return undefined;
  }
  const synced = await db().transaction((tx) => store(tx, aggregator.name, list.found));
  if (synced.added + synced.repriced + synced.changed + synced.withdrawn > 0)
    log().info({ provider: aggregator.name, ...synced }, "a catalogue has changed");
  return synced;
}

async function store(tx: Tx, provider: string, items: CatalogueItem[]): Promise<Synced> {
  // First, so that two that store the same list do it one after the other.
  await tx.execute(raw`
    insert into catalogues (provider, synced_at, next_sync_at) values (${provider}, now(), now() + ${SYNC_EVERY_MS} * interval '1 ms')
    on conflict (provider) do update set synced_at = now(), next_sync_at = excluded.next_sync_at`);
  const list = JSON.stringify(items.map(({ price, ...item }) => ({ ...item, price: price === null ? null : String(price.minor) })));
  const given = raw`jsonb_to_recordset(${list}::text::jsonb) as given(service vtu_service, code text, name text, brand text, variant text, size text,
    validity text, price bigint, "hasLetters" boolean)`;
  const same = raw`p.provider = ${provider} and p.service = given.service and p.code = given.code`;
  const repriced = await tx.execute(raw`
    update products p set selling_price = given.price from ${given} where ${same} and p.selling_price is distinct from given.price returning p.id`);
  const changed = await tx.execute(raw`
    update products p set name = given.name, brand = given.brand, variant = given.variant, size = given.size, validity = given.validity,
      has_letters = given."hasLetters", withdrawn_at = null
    from ${given} where ${same} and (p.name, p.brand, p.variant, p.size, p.validity, p.has_letters, p.withdrawn_at)
      is distinct from (given.name, given.brand, given.variant, given.size, given.validity, given."hasLetters", null)
    returning p.id`);
  const added = await tx.execute(raw`
    insert into products (provider, service, code, name, brand, variant, size, validity, selling_price, has_letters)
    select ${provider}, given.service, given.code, given.name, given.brand, given.variant, given.size, given.validity, given.price, given."hasLetters"
    from ${given} where not exists (select from products p where ${same}) returning id`);
  const withdrawn = await tx.execute(raw`
    update products p set withdrawn_at = now() where p.provider = ${provider} and p.withdrawn_at is null
      and not exists (select from ${given} where ${same}) returning p.id`);
  await tx.execute(raw`
    insert into product_prices (product_id, selling_price, valid_from)
    select p.id, p.selling_price, clock_timestamp() from products p
    left join lateral (select h.selling_price from product_prices h where h.product_id = p.id order by h.valid_from desc limit 1) latest on true
    where p.provider = ${provider} and p.selling_price is not null and p.selling_price is distinct from latest.selling_price`);
  return { added: added.length, repriced: repriced.length, changed: changed.length, withdrawn: withdrawn.length };
}
