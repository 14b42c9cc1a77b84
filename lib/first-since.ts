/** Rows that one query reads. Six queries find a row among 10 million, and one costs hardly more than a query for a single row. */
const ASKED_AT_ONCE = 16n;

/** A row and the time at which it was made, as text. */
interface Numbered {
  number: bigint;
  created_at: string;
}

/**
 * Returns the number of the first row made since a time, or `last + 1` if there is none. The rows are numbered from 1 to `last` in the order
 * of their times. `read` returns the rows with the given numbers. A missing row counts as made since.
 */
export async function firstSince(since: Date, last: bigint, read: (numbers: bigint[]) => Promise<Numbered[]>): Promise<bigint> {
  let [least, most] = [1n, last + 1n];
  while (least < most) {
    const asked = spread(least, most);
    const rows = await read(asked);
    const earlier = new Set(rows.flatMap((row) => (new Date(row.created_at) < since ? [row.number] : [])));
    const first = asked.find((number) => !earlier.has(number));
    const before = asked.findLast((number) => first === undefined || number < first);
    if (before !== undefined) least = before + 1n;
    if (first !== undefined) most = first;
  }
  return least;
}

/** Returns numbers from `least` on and below `most`, evenly spread, or all of them if they are few. */
function spread(least: bigint, most: bigint): bigint[] {
  const count = most - least < ASKED_AT_ONCE ? most - least : ASKED_AT_ONCE;
  return Array.from({ length: Number(count) }, (_, n) => least + ((most - least) * (2n * BigInt(n) + 1n)) / (2n * count));
}
