import { withoutPrefix, withPrefix } from "#lib/ids.ts";
import type { MerchantContext } from "../context.ts";
import { MAX_SEARCHED_ROWS } from "../list-window.ts";
import { type Found, type Page, readPage, type SearchEnd, type Window } from "../pagination.ts";
import type { ListTransactionsQuery } from "./contract.ts";
import { type Source, sourcesFor } from "./sources.ts";
import type { Transaction } from "./transaction.ts";

/**
 * Returns one page of what moved money or tried to, in all areas that the merchant has and the caller may see, newest first. A statement for each
 * kind reads the rows with their names. Kinds share the rows that a search may look at. Throws VALIDATION_ERROR for a bad cursor.
 */
export function listTransactions(ctx: MerchantContext, { limit, cursor, ...filter }: ListTransactionsQuery): Promise<Page<Transaction>> {
  const sources = sourcesFor(ctx, filter);
  return readPage({
    owner: `${ctx.merchant.id}/transactions`,
    request: { limit, cursor },
    positionOf: ({ id }) => withoutPrefix(id),
    read: (window) => readAcross(ctx, sources, window),
  });
}

/** Ids of all kinds begin with their time after the prefix, so that one position bounds each table by its own primary key. */
async function readAcross(ctx: MerchantContext, sources: Source[], window: Window): Promise<Found<Transaction>> {
  const maxSearchedRows = Math.floor(MAX_SEARCHED_ROWS / Math.max(1, sources.length));
  const found = await Promise.all(
    sources.map(({ kind, read }) =>
      read(ctx, { ...window, maxSearchedRows, position: window.position === undefined ? undefined : withPrefix(kind, window.position) }),
    ),
  );
  const comesBefore = (a: string, b: string) => (window.direction === "older" ? a > b : a < b);
  const inOrder = (a: string, b: string) => (comesBefore(a, b) ? -1 : 1);
  const stopped = found
    .flatMap((one): SearchEnd[] => (one.stopped ? [{ ...one.stopped, position: withoutPrefix(one.stopped.position) }] : []))
    .sort((a, b) => inOrder(a.position, b.position))[0];
  const rows = found
    .flatMap((one) => one.rows)
    // If one kind stopped early, it may have unread rows beyond its stop. So rows of other kinds beyond that place are left out.
    .filter(({ id }) => !stopped || !comesBefore(stopped.position, withoutPrefix(id)))
    .sort((a, b) => inOrder(withoutPrefix(a.id), withoutPrefix(b.id)))
    .slice(0, window.limit);
  return rows.length === window.limit ? { rows } : { rows, stopped };
}
