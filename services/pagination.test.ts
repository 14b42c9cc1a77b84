import fc from "fast-check";
import { expect, test } from "vitest";
import { withDatabase } from "#testing/database.ts";
import { type Page, readPage, type Window } from "./pagination.ts";

// The key of cursors is a setting.
withDatabase();

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

interface TestList {
  /** Oldest first. */
  rows: number[];
  /** How many rows one answer looks at, and which of them pass. */
  max?: number;
  passes?: (row: number) => boolean;
}

/** Reads a list of numbers as a table that no index serves would be read. */
function read({ rows, max = 1_000, passes = () => true }: TestList) {
  return async ({ direction, position, limit }: Window) => {
    const at = position === undefined ? undefined : Number(position);
    const beyond = rows.filter((row) => at === undefined || (direction === "older" ? row < at : row > at));
    const looked = (direction === "older" ? beyond.toReversed() : beyond).slice(0, max);
    const found = looked.filter(passes).slice(0, limit);
    const last = looked[max - 1];
    const hasMore = found.length < limit && last !== undefined;
    return { rows: found, ...(hasMore && { stopped: { position: String(last), at: new Date(last) } }) };
  };
}

const pageOf = (list: TestList, limit: number, cursor?: string | null): Promise<Page<number>> =>
  readPage({
    owner: "mer_1/numbers",
    request: { limit, ...(cursor && { cursor }) },
    positionOf: String,
    read: read(list),
  });

async function walk(list: TestList, limit: number): Promise<Page<number>[]> {
  const pages = [await pageOf(list, limit)];
  for (let next = pages[0]?.nextCursor; next; next = pages.at(-1)?.nextCursor) pages.push(await pageOf(list, limit, next));
  return pages;
}

test("the pages to older rows show each row once, newest first, and the way back shows the same pages", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 9 }), async (count, limit) => {
      const list = { rows: numbers(count) };
      const pages = await walk(list, limit);
      expect(pages.flatMap(({ items }) => items)).toEqual(numbers(count).toReversed());
      expect(pages[0]?.previousCursor).toBeNull();
      for (let i = pages.length - 1; i > 0; i--) {
        expect(pages[i]?.previousCursor).not.toBeNull();
        const back = await pageOf(list, limit, pages[i]?.previousCursor);
        expect(back.items).toEqual(pages[i - 1]?.items);
        expect(back.previousCursor === null).toBe(i === 1);
      }
    }),
  );
});

test("a search that may look at few rows goes on from where it stopped, and finds each row that passes once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 20 }),
      async (passing, limit, max) => {
        const list = { rows: numbers(passing.length), max, passes: (row: number) => passing[row - 1] === true };
        const pages = await walk(list, limit);
        expect(pages.flatMap(({ items }) => items)).toEqual(list.rows.filter(list.passes).toReversed());
        for (const { items, searchedTo, nextCursor } of pages) {
          expect(searchedTo !== null).toBe(nextCursor !== null && items.length < limit);
        }
      },
    ),
  );
});

test("rows that were added since are on the previous pages, and the newest page is always full", async () => {
  const list = { rows: numbers(25) };
  const second = await pageOf(list, 10, (await pageOf(list, 10)).nextCursor);
  list.rows.push(26, 27);
  expect((await pageOf(list, 10, second.previousCursor)).items).toEqual([25, 24, 23, 22, 21, 20, 19, 18, 17, 16]);
  const newest = await pageOf(list, 10, (await pageOf(list, 10, second.previousCursor)).previousCursor);
  expect(newest.items).toEqual([27, 26, 25, 24, 23, 22, 21, 20, 19, 18]);
  expect(newest.previousCursor).toBeNull();
});

test("a broken cursor and one of another list are refused", async () => {
  const { nextCursor } = await readPage({
    owner: "mer_2/numbers",
    request: { limit: 1 },
    positionOf: String,
    read: read({ rows: [1, 2] }),
  });
  for (const cursor of ["broken", nextCursor]) {
    await expect(pageOf({ rows: [1, 2] }, 1, cursor)).rejects.toMatchObject({ code: "VALIDATION_ERROR", errors: [{ param: "cursor" }] });
  }
});
