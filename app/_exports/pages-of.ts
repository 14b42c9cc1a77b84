import type { Page, PageRequest } from "#services/pagination.ts";

/** Rows of one read. Enough that a read costs little a row, and few enough for the memory. */
const ROWS = 500;

/**
 * Returns a whole list in pages, newest first. A search that stops before its page is full goes on from there, so a page may be empty. Each
 * page is read when it is asked for.
 */
export async function* pagesOf<Row>(read: (page: PageRequest) => Promise<Page<Row>>): AsyncGenerator<Row[], void> {
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await read({ limit: ROWS, cursor });
    yield items;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}
