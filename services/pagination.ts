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
  items: T[];
  nextCursor: string | null;
}

/**
 * Returns a cursor that only `owner` (a merchant and one of its lists) can use. It is sealed, not just signed, because a position may be a
 * number that reveals how much others do.
 */
export const encodeCursor = (owner: string, position: string): string => seal("list-cursor", position, owner);

/** Returns the position that a cursor of `owner` names. Throws VALIDATION_ERROR for a broken cursor or one of another owner. */
export function decodeCursor(owner: string, cursor: string): string {
  try {
    return open("list-cursor", cursor, owner);
  } catch (cause) {
    if (!(cause instanceof CannotOpen)) throw cause;
    throw invalid("cursor", "This cursor does not belong to this list. Start again without it.");
  }
}

/** Returns a page of the rows. Callers read one row more than `limit`: it is cut off, and its presence means that another page follows. */
export function toPage<T>(owner: string, rows: T[], limit: number, positionOf: (row: T) => string): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(owner, positionOf(last)) : null };
}

export function presentPagination({ nextCursor }: Page<unknown>): z.output<typeof Pagination> {
  return { next_cursor: nextCursor, has_more: nextCursor !== null };
}
