import type { ListPlace } from "#components/page/list-page.tsx";
import { Problem } from "#lib/problem.ts";
import type { Page, PageRequest } from "#services/pagination.ts";
import type { Asked } from "./asked.ts";

/** Rows of a page. */
const LIMIT = 25;

interface List<Item> {
  items: Item[];
  place: ListPlace;
}

/**
 * Reads the page of a list that an address asks for. A filter that cannot be read leads to no rows and a message. A cursor that is
 * broken, or that belongs to other filters, leads to the newest rows and a message.
 */
export async function readList<Item>(
  path: string,
  asked: Asked,
  read: (request: PageRequest) => Promise<Page<Item>>,
  limit = LIMIT,
): Promise<List<Item>> {
  if (asked.problem !== undefined) {
    const nothing = { items: [], nextCursor: null, previousCursor: null, searchedTo: null };
    return listOf(path, asked, nothing, true);
  }
  try {
    return listOf(path, asked, await read({ limit, cursor: asked.cursor }));
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "VALIDATION_ERROR" || asked.cursor === undefined) throw error;
    const newest = { ...asked, cursor: undefined, problem: "This address does not lead to a page of this list. These are the newest." };
    return listOf(path, newest, await read({ limit }));
  }
}

function listOf<Item>(path: string, { values, problem }: Asked, page: Page<Item>, isRefused = false): List<Item> {
  const hrefOf = (cursor: string | null) => (cursor === null ? undefined : hrefWith(path, { ...values, cursor }));
  return {
    items: page.items,
    place: {
      isFiltered: Object.keys(values).length > 0,
      clearHref: path,
      newerHref: hrefOf(page.previousCursor),
      olderHref: hrefOf(page.nextCursor),
      searchedTo: page.searchedTo,
      problem,
      isRefused,
    },
  };
}

type Parameters = Readonly<Record<string, string | Date | undefined>>;

/** Returns an address with parameters. Those without a value are left out. */
export function hrefWith(path: string, parameters: Parameters): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value instanceof Date ? value.toISOString() : value]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** Returns the address of a list as a file, with the filters of the API. */
export const csvHref = (list: string, merchantId: string, filters: Parameters): string =>
  hrefWith(`/api/dashboard/exports/${list}`, { merchant: merchantId, ...filters });
