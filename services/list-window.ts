import { asc, type Column, desc, gt, gte, lt, lte, type SQL } from "drizzle-orm";
import type postgres from "postgres";
import { type Sql, sql } from "#db/client.ts";
import { type IdKind, leastIdAt } from "#lib/ids.ts";
import { MINUTE_MS } from "#lib/time.ts";
import { type Found, type Page, type PageRequest, readPage, type Window } from "./pagination.ts";

/** A part of a tagged query. */
export type Fragment = postgres.Fragment;

/**
 * The time in an id comes from the clock of a process, and the row's time from the clock of the database or of a bank. Assumes that the
 * two differ by less than this.
 */
const MAX_ID_AND_TIME_APART_MS = 5 * MINUTE_MS;
/** The most rows that one answer reads to find matches of a filter without an index. */
export const MAX_SEARCHED_ROWS = 5_000;

/** The rows of a list by the time of their creation: from `after` on, and before `before`. */
export interface CreatedRange {
  created_after?: Date | undefined;
  created_before?: Date | undefined;
}

/** Returns conditions on columns of the alias `t`: bounds on the ids, which an index serves, and the exact times. */
export function createdWithin(query: Sql, kind: IdKind, { created_after: after, created_before: before }: CreatedRange): Fragment {
  const bound = (time: Date, slackMs: number) => leastIdAt(kind, time.getTime() + slackMs);
  return query`
    ${after ? query`and t.id >= ${bound(after, -MAX_ID_AND_TIME_APART_MS)} and t.created_at >= ${after.toISOString()}` : query``}
    ${before ? query`and t.id < ${bound(before, MAX_ID_AND_TIME_APART_MS)} and t.created_at < ${before.toISOString()}` : query``}`;
}

/** Returns the condition on the column by which a list is sorted: beyond the position of the window. */
export function beyond(query: Sql, { direction, position, includesPosition, until }: Window, column = "t.id"): Fragment {
  const [from, to] = direction === "older" ? ["<", ">="] : [">", "<="];
  const compared = (operator: string, value: string) => query`and ${query.unsafe(`${column} ${operator}`)} ${value}`;
  return query`
    ${position === undefined ? query`` : compared(includesPosition ? `${from}=` : from, position)}
    ${until === undefined ? query`` : compared(to, until)}`;
}

/** Returns the order of a window by a column. */
export const inOrder = (query: Sql, { direction }: Window, column = "t.id"): Fragment =>
  query.unsafe(`order by ${column} ${direction === "older" ? "desc" : "asc"}`);

/** Selects a row of a merchant's table by the value of one key column. */
interface RowName {
  table: string;
  column: "id" | "key";
  is: Fragment;
}

/**
 * Returns a query of one row of a merchant. It asks for a range of one key, in the order of keys. For an equality, a plan that was made on empty tables
 * may take another index that begins with the merchant, and then reads all of the merchant's rows until the next ANALYZE (docs/decisions/0008).
 */
export const rowOf = (query: Sql, merchantId: string, { table, column, is }: RowName): Fragment => query`
  select * from ${query(table)} where merchant_id = ${merchantId} and ${query(column)} >= ${is} and ${query(column)} <= ${is}
  order by ${query(column)} limit 1`;

/** The same as `beyond` for a query of Drizzle. */
export function isBeyond(column: Column, { direction, position, includesPosition }: Window): SQL | undefined {
  if (position === undefined) return undefined;
  if (direction === "older") return includesPosition ? lte(column, position) : lt(column, position);
  return includesPosition ? gte(column, position) : gt(column, position);
}

/** The same as `inOrder` for a query of Drizzle. */
export const orderOf = (column: Column, { direction }: Window): SQL => (direction === "older" ? desc(column) : asc(column));

interface Search<Row> {
  query: Sql;
  window: Window;
  /** Returns a query of at most `max` rows of a window, with `created_at` and the column that sorts the list. An index finds them. */
  looked: (max: number, window: Window) => Fragment;
  /** The condition on those rows that no index serves, if there is one. */
  passes: Fragment | undefined;
  /** Reads the rows of such a query, in its order. */
  read: (found: Fragment) => Promise<Row[]>;
  column?: string;
}

/**
 * Reads the rows of a window. With a condition that no index serves, it reads about
 * `maxSearchedRows` rows. Where they have too few, it finds
 * the last of them first and then reads up to it: rows that come or leave between the two statements are neither missed nor shown twice.
 */
export async function findRows<Row>({ query, window, looked, passes, read, column = "t.id" }: Search<Row>): Promise<Found<Row>> {
  if (!passes) return { rows: await read(looked(window.limit, window)) };
  const order = inOrder(query, window, column);
  const { maxSearchedRows = MAX_SEARCHED_ROWS } = window;
  const passing = (max: number, within: Window) =>
    read(query`select * from (${looked(max, within)}) t where ${passes} ${order} limit ${window.limit}`);
  const rows = await passing(maxSearchedRows, window);
  if (rows.length >= window.limit) return { rows };
  const [last] = await query<{ position: string | bigint; created_at: string }[]>`
    select ${query.unsafe(column)} as position, t.created_at from (${looked(maxSearchedRows, window)}) t ${order} offset ${maxSearchedRows - 1} limit 1`;
  const until = last && String(last.position);
  return {
    rows: await passing(ROOM_FOR_NEW_ONES * maxSearchedRows, { ...window, until }),
    stopped: last && until !== undefined ? { position: until, at: new Date(last.created_at) } : undefined,
  };
}

/** The second read is up to the last row, with room for rows that were added since that row was found. */
const ROOM_FOR_NEW_ONES = 2;

interface SearchedList<Row> {
  /** A merchant and one of its lists (`readPage`). */
  owner: string;
  request: PageRequest;
  positionOf: (row: Row) => string;
  /** As in `findRows`, for a query of the page. */
  looked: (query: Sql, max: number, window: Window) => Fragment;
  passes: (query: Sql) => Fragment | undefined;
  fromRaw: (raw: object) => Row;
  column?: string;
}

/** Returns one page of a list of one table, which `findRows` reads. Throws VALIDATION_ERROR for a cursor that is broken or of another list. */
export const findPage = <Row>(list: SearchedList<Row>): Promise<Page<Row>> =>
  readPage({
    owner: list.owner,
    request: list.request,
    positionOf: list.positionOf,
    read: (window) => {
      const query = sql();
      return findRows({
        query,
        window,
        looked: (max, within) => list.looked(query, max, within),
        passes: list.passes(query),
        read: async (found) => (await query<object[]>`${found}`).map(list.fromRaw),
        ...(list.column && { column: list.column }),
      });
    },
  });
