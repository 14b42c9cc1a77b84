import { sql as raw } from "drizzle-orm";
import { sql, type Tx, transaction } from "#db/client.ts";
import { log } from "#lib/log.ts";
import type { Aggregator, CatalogueItem } from "#providers/aggregator.ts";
import type { SystemContext } from "../../context.ts";
import { aggregators } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { RETRY_SYNC_AFTER_MS, SYNC_EVERY_MS } from "../schedule.ts";

export interface Synced {
  added: number;
  repriced: number;
  changed: number;
  withdrawn: number;
}

/** Syncs the lists that are due. Returns how many were due. */
export const syncDueCatalogues = verb({ actor: ["system"] }, async (_ctx: SystemContext): Promise<number> => {
  const names = aggregators.all().map(({ name }) => name);
  await sql()`insert into catalogues (provider) select unnest(${names}::text[]) on conflict do nothing`;
  const due = await sql()<{ provider: string }[]>`
    update catalogues set next_sync_at = now() + ${RETRY_SYNC_AFTER_MS} * interval '1 ms'
    where next_sync_at <= now() and provider = any(${names}::text[]) returning provider`;
  await Promise.all(due.map(({ provider }) => syncOrLog(provider)));
  return due.length;
});

/** Syncs one list. Logs an error instead of throwing it, so that one aggregator does not stop the sync of another. */
async function syncOrLog(provider: string): Promise<void> {
  const aggregator = aggregators.named(provider);
  try {
    if (aggregator) await syncCatalogue(aggregator);
  } catch (error) {
    log().error({ provider, err: error }, "an aggregator's list could not be stored; it is read again shortly");
  }
}

/** Makes the list due at once, because a refusal of the aggregator shows that ours is out of date. */
export async function makeCatalogueDue(provider: string): Promise<void> {
  await sql()`update catalogues set next_sync_at = date_trunc('milliseconds', now()) where provider = ${provider} and next_sync_at > now()`;
}

/**
 * Makes our list equal to the aggregator's: adds new products, reprices changed ones (`product_prices` keeps the old prices), withdraws
 * missing ones, and sells returned ones again under their old ids. An incomplete or empty list changes nothing; a list
 * that lacks most of a service withdraws none of that service and logs it. Returns the counts, or undefined where the list could not be
 * read.
 */
export async function syncCatalogue(aggregator: Aggregator): Promise<Synced | undefined> {
  const beganAt = await databaseNow();
  const list = await aggregator.listProducts();
  const items = list.status === "found" ? list.found.filter(isStorable(aggregator.name)) : [];
  if (items.length === 0) {
    log().error({ provider: aggregator.name }, "an aggregator's list could not be read; the stored list is kept");
    return undefined;
  }
  const synced = await transaction((tx) => store(tx, { provider: aggregator.name, beganAt, items }));
  if (synced.added + synced.repriced + synced.changed + synced.withdrawn > 0)
    log().info({ provider: aggregator.name, ...synced }, "a catalogue has changed");
  return synced;
}

async function databaseNow(): Promise<string> {
  const [row] = await sql()<{ now: string }[]>`select clock_timestamp()::text as now`;
  if (!row) throw new Error("select now() returned no row");
  return row.now;
}

/**
 * Returns a filter that skips the products that cannot be stored, so that one bad record does not stop the sync: duplicates, prices that
 * are missing, not positive or present where the buyer chooses the amount, and text that PostgreSQL refuses.
 */
function isStorable(provider: string): (item: CatalogueItem) => boolean {
  const seen = new Set<string>();
  return ({ service, code, price, ...words }) => {
    const isChosen = service === "airtime" || service === "electricity";
    const name = `${service}/${code}`;
    const ok =
      [code, ...Object.values(words)].every(isText) &&
      !seen.has(name) &&
      isChosen === (price === null) &&
      (price === null || price.minor > 0n);
    seen.add(name);
    if (!ok)
      log().error(
        { provider, service, code },
        "a product on an aggregator's list was skipped: it is a duplicate, its price is missing or not allowed, or its text cannot be stored",
      );
    return ok;
  };
}

/** Returns false for a string that PostgreSQL cannot store: lone surrogates or NUL. */
const isText = (value: unknown) => typeof value !== "string" || (value.isWellFormed() && !value.includes("\u0000"));

interface List {
  provider: string;
  /** When the read of the list began, by the database's clock. */
  beganAt: string;
  items: CatalogueItem[];
}

const NOTHING: Synced = { added: 0, repriced: 0, changed: 0, withdrawn: 0 };

async function store(tx: Tx, { provider, beganAt, items }: List): Promise<Synced> {
  // Locks the catalogue's row first, so that syncs of one aggregator run one after the other. A list whose read began before the last sync
  // is out of date.
  const [current] = await tx.execute(raw`
    insert into catalogues as c (provider, synced_at, next_sync_at) values (${provider}, clock_timestamp(), now() + ${SYNC_EVERY_MS} * interval '1 ms')
    on conflict (provider) do update set synced_at = clock_timestamp(), next_sync_at = excluded.next_sync_at
    where c.synced_at is null or c.synced_at < ${beganAt}::text::timestamptz
    returning provider`);
  if (!current) return NOTHING;
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
      and not exists (select from ${given} where ${same}) and p.service = any(${raw.param(await wholeServices(tx, provider, items))}::text[]::vtu_service[])
    returning p.id`);
  await tx.execute(raw`
    insert into product_prices (product_id, selling_price, valid_from)
    select p.id, p.selling_price, clock_timestamp() from products p
    left join lateral (select h.selling_price from product_prices h where h.product_id = p.id order by h.valid_from desc limit 1) latest on true
    where p.provider = ${provider} and p.selling_price is not null and p.selling_price is distinct from latest.selling_price`);
  return { added: added.length, repriced: repriced.length, changed: changed.length, withdrawn: withdrawn.length };
}

/** Returns the services of which the list contains at least half of the products that we sell. A list with fewer is taken for truncated. */
async function wholeServices(tx: Tx, provider: string, items: CatalogueItem[]): Promise<string[]> {
  const rows = await tx.execute<{ service: string; sold: number }>(raw`
    select service, count(*)::int as sold from products where provider = ${provider} and withdrawn_at is null group by service`);
  return rows.flatMap(({ service, sold }) => {
    const listed = items.filter((item) => item.service === service).length;
    if (listed * 2 >= sold) return [service];
    log().fatal({ provider, service, listed, sold }, "an aggregator's list lacks most of a service: nothing of it is withdrawn");
    return [];
  });
}
