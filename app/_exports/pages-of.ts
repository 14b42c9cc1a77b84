import type { Page, PageRequest } from "#services/pagination.ts";

/** Rows of one read: enough to keep the cost per row low, and few enough to fit in memory. */
const ROWS = 500;

/**
 * Returns a whole list in pages, newest first. A read may stop before its page is full, and is continued there: a page may be empty. Each
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
