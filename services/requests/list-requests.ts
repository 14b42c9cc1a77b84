import type { z } from "zod";
import { type Sql, sql } from "#db/client.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../context.ts";
import { beyond, createdWithin, type Fragment, findRows, inOrder } from "../list-window.ts";
import { type Page, readPage, type Window } from "../pagination.ts";
import type { ListRequestsQuery } from "./contract.ts";
import { type LoggedRequest, requestFromRaw } from "./logged-request.ts";

type RequestsQuery = z.output<typeof ListRequestsQuery>;
type Filter = Omit<RequestsQuery, "limit" | "cursor">;

/**
 * Returns one page of a merchant's requests, newest first. An index serves the time and failures; any other filter is a search
 * (`MAX_LOOKED_AT`). Throws VALIDATION_ERROR for a bad cursor.
 */
export const listRequests = ({ merchant }: MerchantContext, request: RequestsQuery): Promise<Page<LoggedRequest>> =>
  readPage({
    owner: `${merchant.id}/requests`,
    request,
    positionOf: ({ id }) => id,
    read: (window) => {
      const query = sql();
      return findRows({
        query,
        window,
        looked: (max, within) => newestOf(query, merchant.id, request, within, max),
        passes: conditionOf(query, request),
        read: async (found) => (await query<object[]>`${found}`).map(requestFromRaw),
      });
    },
  });

/** Returns a query of at most `max` requests next to the window's position: those that the indexes find. */
function newestOf(query: Sql, merchantId: string, filter: Filter, window: Window, max: number): Fragment {
  // A literal, not a parameter: a plan uses the partial index only then. Every row with an error code has such a status.
  const isFailed = filter.error_code !== undefined || (filter.status !== undefined && filter.status !== "succeeded");
  return query`
    select t.* from request_log t where t.merchant_id = ${merchantId} ${isFailed ? query`and t.status >= 400` : query``}
      ${createdWithin(query, "request", filter)} ${beyond(query, window)}
    ${inOrder(query, window)} limit ${max}`;
}

/** Returns the condition that no index serves, or undefined. */
function conditionOf(query: Sql, { method, path, status, error_code: code, key_id: keyId, caller }: Filter): Fragment | undefined {
  const isStatus = {
    succeeded: query`and t.status < 400`,
    "4xx": query`and t.status < 500`,
    "5xx": query`and t.status >= 500`,
    failed: undefined,
  };
  const ofStatus = status && isStatus[status];
  if (!(method || path || ofStatus || code || keyId || caller)) return undefined;
  return query`true ${ofStatus ?? query``}
    ${method ? query`and t.method = ${method}` : query``}
    ${path ? query`and starts_with(t.path, ${path})` : query``}
    ${code ? query`and t.error_code = ${code}` : query``}
    ${keyId ? query`and t.api_key_id = ${keyId}` : query``}
    ${caller ? query`and t.caller = ${caller}::request_caller` : query``}`;
}

/** Returns a request of the merchant. Throws RESOURCE_NOT_FOUND, also for one that is older than 30 days. */
export async function getRequest({ merchant }: MerchantContext, id: string): Promise<LoggedRequest> {
  const [raw] = await sql()`select t.* from request_log t where t.merchant_id = ${merchant.id} and t.id = ${id}`;
  if (!raw) throw notFound("request");
  return requestFromRaw(raw);
}
