import type { z } from "zod";
import { invalid } from "#lib/problem.ts";
import { CannotOpen, open, seal } from "#lib/sealed.ts";
import type { Pagination } from "./page-query.ts";

/** The page of a list that a caller asks for. */
export interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

export interface Page<T> {
  /** Newest first. */
  items: T[];
  /** The cursor of the older rows after these, or null if there are none. */
  nextCursor: string | null;
  /** The cursor of the newer rows before these, or null if there are none. New rows may have been added since. */
  previousCursor: string | null;
  /**
   * Set where the search stopped before the page was full, because no index serves the filter: how far it has looked. `nextCursor` (or
   * `previousCursor`) goes on from there.
   */
  searchedTo: Date | null;
}

/** The rows that a page reads: at most `limit`, next to the position and farther away from it. */
export interface Window {
  /** `older`: below `position`, newest first. `newer`: above it, oldest first. */
  direction: "older" | "newer";
  /** Undefined for the newest rows. */
  position: string | undefined;
  /** Whether the row at the position belongs to the window. */
  includesPosition?: boolean | undefined;
  /** The last row that belongs to the window. */
  until?: string | undefined;
  limit: number;
  /** About how many rows a search may look at: `MAX_SEARCHED_ROWS` unless told otherwise. */
  maxSearchedRows?: number | undefined;
}

/** The position at which a search stopped, because it found too few matches among the rows that it may read. */
export interface SearchEnd {
  position: string;
  at: Date;
}

export interface Found<Row> {
  /** In the order of the window. */
  rows: Row[];
  /** Undefined where the list ended, or where there are `limit` rows. */
  stopped?: SearchEnd | undefined;
}

interface ListPage<Row> {
  /** A merchant and one of its lists: a cursor works for this list alone. */
  owner: string;
  request: PageRequest;
  positionOf: (row: Row) => string;
  read: (window: Window) => Promise<Found<Row>>;
}

/**
 * Returns one page of a list, newest first. Where fewer newer rows are left than fill a page, it is the page of the newest. Throws
 * VALIDATION_ERROR for a cursor that is broken or of another list.
 */
export async function readPage<Row>(list: ListPage<Row>): Promise<Page<Row>> {
  const { owner, request, positionOf, read } = list;
  const place = request.cursor ? decodeCursor(owner, request.cursor) : NEWEST;
  const { direction, position } = place;
  // One row more than the page has: its presence means that another page follows.
  const { rows, stopped } = await read({ ...place, limit: request.limit + 1 });
  const isFull = rows.length > request.limit;
  if (direction === "newer" && !isFull && !stopped) return readPage({ ...list, request: { limit: request.limit } });
  const within = rows.slice(0, request.limit);
  const [first, last] = [within[0], within.at(-1)];
  const onwards = isFull && last !== undefined ? positionOf(last) : stopped?.position;
  // An empty page has no first row, so the way back starts at the row of the position itself.
  const back = first === undefined ? { position, includesPosition: true } : { position: positionOf(first) };
  const cursorTo = (way: Window["direction"], to: Pick<Window, "position" | "includesPosition">) =>
    to.position === undefined ? null : encodeCursor(owner, `${PREFIX_OF[way]}${to.includesPosition ? AT : ""}${to.position}`);
  const wayBack = position === undefined ? { position: undefined } : back;
  const [older, newer] = direction === "older" ? [{ position: onwards }, wayBack] : [wayBack, { position: onwards }];
  return {
    items: direction === "older" ? within : within.toReversed(),
    nextCursor: cursorTo("older", older),
    previousCursor: cursorTo("newer", newer),
    searchedTo: within.length === request.limit ? null : (stopped?.at ?? null),
  };
}

const NEWEST = { direction: "older", position: undefined } as const;

/** Without a prefix, the cursor means older rows, as in earlier versions, because processes of both versions may run at the same time. */
const PREFIX_OF = { older: "", newer: "newer " };
const AT = "at ";

/**
 * Returns a cursor that only `owner` can use. It is sealed, not just signed, because a position may be a number that reveals how much others
 * do.
 */
const encodeCursor = (owner: string, position: string): string => seal("list-cursor", position, owner);

function decodeCursor(owner: string, cursor: string): Omit<Window, "limit"> {
  try {
    const [, newer, at, position = ""] = /^(newer )?(at )?(.+)$/.exec(open("list-cursor", cursor, owner)) ?? [];
    return { direction: newer ? "newer" : "older", position, includesPosition: at !== undefined };
  } catch (cause) {
    if (!(cause instanceof CannotOpen)) throw cause;
    throw invalid("cursor", "This cursor does not belong to this list. Start again without it.");
  }
}

/** Presents a page's place in its list. Newer rows are for screens: the API reads towards the older ones. */
export function presentPagination({ nextCursor, searchedTo }: Page<unknown>): z.output<typeof Pagination> {
  return { next_cursor: nextCursor, has_more: nextCursor !== null, ...(searchedTo && { searched_to: searchedTo.toISOString() }) };
}
