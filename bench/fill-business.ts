import { readLong, sql } from "#db/client.ts";
import { fillCards } from "./fill-cards.ts";
import { fillMoney, finishMoney, standingOf } from "./fill-money.ts";
import { type Part, type Span, TIME_FUNCTIONS } from "./fill-part.ts";

const BATCH = 100_000;
/** The rows of one batch of a growth. A batch writes eight tables, and a statement may take at most 30 s. */
const GROWTH_BATCH = 20_000;
/** Rows of cards for each thousand rows of money. */
const CARD_SHARE = 0.1;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Makes ids as `newId` does: ten characters of the time, then sixteen that differ. Row `n` of `count` was made evenly within 400 days. */
const FUNCTIONS = `
  create or replace function bench_at(n bigint, count bigint) returns timestamptz language sql stable as
    $$ select date_trunc('milliseconds', now() - interval '1 hour' - (count - n) * (interval '400 days' / count)) $$;
  create or replace function bench_id(prefix text, made_at timestamptz, n bigint) returns text language sql immutable as $$
    select prefix || '_' || string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((ms >> (5 * place)) & 31)::int, 1), '' order by place desc) || lpad(n::text, 16, '0')
    from (select floor(extract(epoch from made_at) * 1000)::bigint as ms) t, generate_series(0, 9) place $$;`;

/** The rows with the numbers `from` to `to`, of `count` rows in all. */
export interface Rows {
  merchantId: string;
  from: number;
  to: number;
  count: number;
}

export async function inBatches(merchantId: string, count: number, fill: (rows: Rows) => Promise<unknown>): Promise<void> {
  await sql().unsafe(FUNCTIONS);
  for (let from = 1; from <= count; from += BATCH) await fill({ merchantId, from, to: Math.min(count, from + BATCH - 1), count });
}

/** The growth of a merchant from one number of rows to a higher one. The new rows are spread evenly over a period. */
export interface Growth {
  merchantId: string;
  from: number;
  /** A multiple of ten, as `from`. */
  to: number;
  since: Date;
  until: Date;
}

/**
 * Inserts links and purchases until a merchant has `to` of each, as many wallet entries, and a tenth as many cardholders, cards, operations and
 * spend. The ledger's numbers go on after its last entry. Assumes that the merchant's figures and seals are up to date, and leaves them so.
 * `fillMoney` lists the rows.
 */
export async function growBusiness({ merchantId, from, to, since, until }: Growth): Promise<void> {
  if (from % 10 !== 0 || to % 10 !== 0) throw new Error(`a business grows by tens, not from ${from} to ${to}`);
  await sql().unsafe(TIME_FUNCTIONS);
  const standing = await standingOf(merchantId);
  const money = { merchantId, first: from + 1, last: to, since, until };
  for (const part of partsOf(money)) await fillMoney(part, standing);
  await finishMoney(money);
  const cards = { ...money, first: Math.round(from * CARD_SHARE) + 1, last: Math.round(to * CARD_SHARE) };
  for (const part of partsOf(cards)) await fillCards(part);
  await readLong((client) => client.unsafe("vacuum analyze"));
}

function* partsOf(span: Span): Generator<Part> {
  for (let from = span.first; from <= span.last; from += GROWTH_BATCH)
    yield { ...span, from, to: Math.min(span.last, from + GROWTH_BATCH - 1) };
}

/** Fills a merchant without history. Its rows are spread over the last 400 days. */
export const fillBusiness = (merchantId: string, count: number): Promise<void> =>
  growBusiness({ merchantId, from: 0, to: count, since: new Date(Date.now() - 400 * DAY_MS), until: new Date(Date.now() - HOUR_MS) });
