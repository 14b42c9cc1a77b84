import type { z } from "zod";
import { type Sql, sql } from "#db/client.ts";
import { LOGS_KEPT_MS } from "#db/weeks.ts";
import { leastIdAt } from "#lib/ids.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../context.ts";
import { beyond, createdWithin, type Fragment, findPage, inOrder } from "../list-window.ts";
import type { Page, Window } from "../pagination.ts";
import { verb } from "../verb.ts";
import type { ListRequestsQuery } from "./contract.ts";
import { type LoggedRequest, requestFromRaw } from "./logged-request.ts";

type RequestsQuery = z.output<typeof ListRequestsQuery>;
type Filter = Omit<RequestsQuery, "limit" | "cursor">;

/**
 * Returns one page of a merchant's requests, newest first. Only owners and admins read the network addresses of other members. Indexes serve
 * the time, failures and error codes; any other filter is a search (`MAX_SEARCHED_ROWS`). Throws VALIDATION_ERROR for a bad cursor.
 */
export const listRequests = verb(
  { permission: "requests:read" },
  (ctx: MerchantContext, request: RequestsQuery): Promise<Page<LoggedRequest>> =>
    findPage({
      owner: `${ctx.merchant.id}/requests`,
      request,
      positionOf: ({ id }) => id,
      looked: (query, max, window) => newestOf(query, ctx.merchant.id, request, window, max),
      passes: (query) => conditionOf(query, request),
      fromRaw: (raw) => requestFromRaw(ctx, raw),
    }),
);

/** Returns a query of at most `max` requests next to the window's position: those that the indexes find. */
function newestOf(query: Sql, merchantId: string, filter: Filter, window: Window, max: number): Fragment {
  return query`
    select t.* from request_log t where t.merchant_id = ${merchantId} and t.id >= ${oldestKept()} ${indexed(query, filter)}
      ${createdWithin(query, "request", filter)} ${beyond(query, window)}
    ${inOrder(query, window)} limit ${max}`;
}

const oldestKept = (): string => leastIdAt("request", Date.now() - LOGS_KEPT_MS);

/** Returns the condition that an index serves beside the time. Statuses are literals, not parameters: a plan uses a partial index only then. */
function indexed(query: Sql, { error_code: code, status }: Filter): Fragment {
  if (code) return query`and t.error_code = ${code} and t.error_code is not null`;
  if (status === "5xx") return query`and t.status >= 500`;
  return status === "failed" || status === "4xx" ? query`and t.status >= 400` : query``;
}

/** Returns the condition that no index serves, or undefined. */
function conditionOf(query: Sql, { method, path, status, error_code: code, key_id: keyId, caller }: Filter): Fragment | undefined {
  const isStatus = {
    succeeded: query`and t.status < 400`,
    "4xx": query`and t.status between 400 and 499`,
    "5xx": code && query`and t.status >= 500`,
    failed: code && query`and t.status >= 400`,
  };
  const ofStatus = status && isStatus[status];
  if (!(method || path || ofStatus || keyId || caller)) return undefined;
  return query`true ${ofStatus || query``}
    ${method ? query`and t.method = ${method}` : query``}
    ${path ? query`and starts_with(t.path, ${path})` : query``}
    ${keyId ? query`and t.api_key_id = ${keyId}` : query``}
    ${caller ? query`and t.caller = ${caller}::request_caller` : query``}`;
}

/** Returns a request of the merchant. Throws RESOURCE_NOT_FOUND, also for one that is older than 30 days. */
export const getRequest = verb({ permission: "requests:read" }, async (ctx: MerchantContext, id: string): Promise<LoggedRequest> => {
  const [raw] =
    await sql()`select t.* from request_log t where t.merchant_id = ${ctx.merchant.id} and t.id = ${id} and t.id >= ${oldestKept()}`;
  if (!raw) throw notFound("request");
  return requestFromRaw(ctx, raw);
});
