/** Rows of a merchant by their numbers, spread evenly over a time: row `first` is the oldest. */
export interface Span {
  merchantId: string;
  first: number;
  last: number;
  since: Date;
  until: Date;
}

/** Some rows of a span, which one statement writes. */
export interface Part extends Span {
  from: number;
  to: number;
}

/** `bench_time`: the time of a row. `bench_digits`: the ten characters of a time with which ids begin, as `newId` makes them. */
export const TIME_FUNCTIONS = `
  create or replace function bench_time(n bigint, first bigint, last bigint, since timestamptz, until timestamptz) returns timestamptz
    language sql stable as $$ select date_trunc('milliseconds', since + (until - since) * ((n - first + 1)::float8 / (last - first + 1)), 'UTC') $$;
  create or replace function bench_digits(ms bigint) returns text language sql immutable as $$ select ${digits()} $$;`;

function digits(): string {
  const places = Array.from({ length: 10 }, (_, n) => 45 - 5 * n);
  return places.map((bits) => `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((ms >> ${bits}) & 31)::int, 1)`).join(" || ");
}
