import { z } from "zod";
import { invalid } from "#lib/problem.ts";
import { CannotOpen, open, seal } from "#lib/sealed.ts";

export const PageQuery = z.object({
  limit: z.coerce
    .number({ error: "Send a whole number from 1 to 100." })
    .int("Send a whole number from 1 to 100.")
    .min(1, "Send at least 1.")
    .max(100, "Send at most 100.")
    .default(20)
    .meta({ description: "How many to answer with.", example: 20 }),
  cursor: z
    .string()
    .min(1, "Send next_cursor of the page before, or none.")
    .max(300, "Send next_cursor of the page before.")
    .optional()
    .meta({ description: "`next_cursor` of the page before. Opaque." }),
});

export const Pagination = z
  .object({
    next_cursor: z.string().nullable().meta({ description: "Send as `cursor` for the next page; null on the last." }),
    has_more: z.boolean(),
  })
  .meta({ id: "Pagination" });

/** Which page of a list. */
export interface Wanted {
  limit: number;
  cursor?: string | undefined;
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/**
 * Returns a cursor that only `owner` (a merchant and one of its lists) can use. It is sealed, not just signed: a position may be a number
 * that counts what others do.
 */
export const encodeCursor = (owner: string, position: string): string => seal("list-cursor", position, owner);

/** Returns the position that a cursor of `owner` names. Throws `VALIDATION_ERROR` for a broken or a foreign one. */
export function decodeCursor(owner: string, cursor: string): string {
  try {
    return open("list-cursor", cursor, owner);
  } catch (cause) {
    if (!(cause instanceof CannotOpen)) throw cause;
    throw invalid("cursor", "This cursor does not belong to this list. Start again without it.");
  }
}

/** Cuts the one extra row that was read to learn whether there is more. */
export function toPage<T>(owner: string, rows: T[], limit: number, positionOf: (row: T) => string): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(owner, positionOf(last)) : null };
}

export function presentPagination({ nextCursor }: Page<unknown>): z.output<typeof Pagination> {
  return { next_cursor: nextCursor, has_more: nextCursor !== null };
}
