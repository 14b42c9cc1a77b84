import { readLong, sql } from "#db/client.ts";
import { DAY_MS, HOUR_MS } from "#lib/time.ts";
import { systemContext } from "#services/context.ts";
import { WALLET } from "#services/ledger/index.ts";
import { aMember } from "#services/members/member.fixture.ts";
import { createBusiness } from "#services/merchants/index.ts";
import type { Business } from "./dashboard.ts";
import { growBusiness } from "./fill-business.ts";
import { accountBaseOf, purchaseIdsOf, referenceOf } from "./fill-money.ts";
import type { Span } from "./fill-part.ts";
import type { Headers } from "./purchases.ts";

const OLDEST_DAYS = 400;
const SAMPLE = 20_000;

/** A merchant of the comparison: `few` stays small, and `many` grows. */
export interface Grower extends Business {
  name: "few" | "many" | "real";
  /** Links and purchases that the fill has given it. */
  rows: number;
  /** The growths that inserted these rows. */
  spans: Span[];
  headers: Headers;
}

/** Creates a merchant with a key and a signed-in member. Its rate limit is computed for each request but too high to be reached. */
export async function aGrower(name: Grower["name"]): Promise<Grower> {
  const { businessId, testMerchantId, testKey } = await createBusiness(systemContext("seed"), {
    name,
    owner: { email: `${name}@grow.example`, name: "Bench", password: "irrelevant here" },
  });
  await sql()`update merchants set requests_per_second = 1000000, request_burst = 2000000 where id = ${testMerchantId}`;
  const { token } = await aMember(businessId, "owner");
  const headers = { "x-api-key": testKey.publicKey, "x-api-secret": testKey.secretKey, "content-type": "application/json" };
  return { name, merchantId: testMerchantId, token, rows: 0, spans: [], headers };
}

/** The period in which the rows of one growth were made. */
export interface Era {
  since: Date;
  until: Date;
}

/**
 * Returns each size with the era of its new rows: the first era ends halfway to now, each later one halfway from there, and the last an
 * hour ago. A later growth has later rows, as in a business, so the wallet's numbers rise with its times.
 */
export function erasOf(sizes: number[], now = Date.now()): { size: number; era: Era }[] {
  const ago = (days: number) => new Date(now - days * DAY_MS);
  return sizes.map((size, n) => {
    const until = n === sizes.length - 1 ? new Date(now - HOUR_MS) : ago(OLDEST_DAYS / 2 ** (n + 1));
    return { size, era: { since: ago(OLDEST_DAYS / 2 ** n), until } };
  });
}

/** Grows a merchant to `to` rows, made in an era. */
export async function grow(grower: Grower, to: number, era: Era): Promise<void> {
  const startedAt = performance.now();
  await growBusiness({ merchantId: grower.merchantId, from: grower.rows, to, ...era });
  console.log(`${grower.name} grown from ${grower.rows} to ${to} rows in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  grower.spans.push({ merchantId: grower.merchantId, first: grower.rows + 1, last: to, ...era });
  grower.rows = to;
}

/** Returns a line with the numbers of a merchant's links, purchases and wallet entries. Counts those of the fill and those of requests. */
export async function countsOf({ name, merchantId }: Grower): Promise<string> {
  const [row] = await readLong(
    (client) => client<{ links: bigint; purchases: bigint; entries: bigint }[]>`
      select (select count(*) from payment_links where merchant_id = ${merchantId}) as links, (select count(*) from purchases where merchant_id = ${merchantId}) as purchases,
        (select seq from ledger_accounts where merchant_id = ${merchantId} and account = ${WALLET}) as entries`,
  );
  return `${name}: ${row?.links} links, ${row?.purchases} purchases, ${row?.entries} entries of the wallet`;
}

interface Sample {
  /** Returns the reference of a random link. */
  aReference: () => string;
  /** Returns the id of a random purchase, of many. */
  aPurchase: () => string;
  /** The time of the row in the middle. */
  middle: Date;
}

/** Returns names of rows of all ages of a merchant's fill. Reads none of them, so that a row is cached only where requests have read it. */
export async function sampleOf({ merchantId, rows, spans }: Grower): Promise<Sample> {
  const accountBase = await accountBaseOf(merchantId);
  const aNumber = () => 1 + Math.floor(Math.random() * rows);
  const spanOf = (n: number): Span => {
    const span = spans.find(({ last }) => n <= last);
    if (!span) throw new Error(`${merchantId} has no row ${n}`);
    return span;
  };
  const numbers = Array.from({ length: SAMPLE }, aNumber);
  const purchases = await purchaseIdsOf(numbers.map((n) => ({ n, span: spanOf(n) })));
  const { first, last, since, until } = spanOf(rows / 2);
  const share = (rows / 2 - first + 1) / (last - first + 1);
  return {
    aReference: () => referenceOf(accountBase, aNumber()),
    aPurchase: () => purchases[Math.floor(Math.random() * purchases.length)] ?? "",
    middle: new Date(since.getTime() + share * (until.getTime() - since.getTime())),
  };
}
