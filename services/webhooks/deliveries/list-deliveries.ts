import type { z } from "zod";
import type { Sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { OPENS_DELIVERIES_OF_ENDPOINT, webhookDeliveries } from "#db/schema/webhooks.ts";
import { leastIdAt } from "#lib/ids.ts";
import type { MerchantContext } from "../../context.ts";
import { beyond, type Fragment, findPage, inOrder } from "../../list-window.ts";
import type { Page, Window } from "../../pagination.ts";
import { verb } from "../../verb.ts";
import type { ListDeliveriesQuery } from "../contract.ts";
import { type Delivery, deliveryFromRow } from "../delivery.ts";

type DeliveriesQuery = z.output<typeof ListDeliveriesQuery>;
type Filter = Omit<DeliveriesQuery, "limit" | "cursor">;

/**
 * Returns one page of deliveries, those of the newest events first. Indexes serve the time, and the endpoint or the status; any other filter is
 * a search (`MAX_SEARCHED_ROWS`). Throws VALIDATION_ERROR for a cursor of another list.
 */
export const listDeliveries = verb(
  { permission: "webhooks:read" },
  ({ merchant }: MerchantContext, request: DeliveriesQuery): Promise<Page<Delivery>> =>
    findPage({
      owner: `${merchant.id}/webhook-deliveries`,
      request,
      positionOf: ({ id }) => id,
      looked: (query, max, window) => newestOf(query, merchant.id, request, window, max),
      passes: (query) => conditionOf(query, request),
      fromRaw: (raw) => deliveryFromRow(fromRow(webhookDeliveries, raw)),
    }),
);

/** Returns a query of at most `max` deliveries next to the window's position: those that the indexes find. */
function newestOf(query: Sql, merchantId: string, filter: Filter, window: Window, max: number): Fragment {
  const { endpoint_id: endpointId, created_after: after, created_before: before } = filter;
  return query`
    select t.* from webhook_deliveries t where t.merchant_id = ${merchantId}
      ${endpointId ? query`and t.endpoint_id = ${endpointId} and t.${query.unsafe(OPENS_DELIVERIES_OF_ENDPOINT)}` : ofStatus(query, filter)}
      ${after ? query`and t.id >= ${leastIdAt("webhookDelivery", after.getTime())}` : query``}
      ${before ? query`and t.id < ${leastIdAt("webhookDelivery", before.getTime())}` : query``}
      ${beyond(query, window)}
    ${inOrder(query, window)} limit ${max}`;
}

// Literals, not parameters: a plan uses the partial index of a status only then.
const ofStatus = (query: Sql, { status }: Filter) => (isIndexed(status) ? query.unsafe(`and t.status = '${status}'`) : query``);

const isIndexed = (status: Filter["status"]): status is "pending" | "failed" => status === "pending" || status === "failed";

/** Returns the condition that no index serves, or undefined. */
function conditionOf(query: Sql, { endpoint_id: endpointId, status, event_type: type, answer }: Filter): Fragment | undefined {
  const searchedStatus = endpointId || !isIndexed(status) ? status : undefined;
  if (!(searchedStatus || type || answer)) return undefined;
  return query`true ${searchedStatus ? query`and t.status = ${searchedStatus}::delivery_status` : query``}
    ${type ? query`and t.event_type = ${type}` : query``} ${answer ? answered(query, answer) : query``}`;
}

const answered = (query: Sql, answer: NonNullable<Filter["answer"]>) =>
  answer === "none"
    ? query`and t.attempt_count > 0 and t.last_response_status is null`
    : query`and t.last_response_status / 100 = ${Number(answer[0])}`;
