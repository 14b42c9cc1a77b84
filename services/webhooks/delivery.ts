import type { webhookAttempts, webhookDeliveries } from "#db/schema/webhooks.ts";
import type { EVENT_TYPES } from "../events/index.ts";

export const TEST_EVENT = "webhook.test";

type DeliveryRow = typeof webhookDeliveries.$inferSelect;
type AttemptRow = typeof webhookAttempts.$inferSelect;

/** The delivery of one event to one endpoint. */
export interface Delivery
  extends Pick<
    DeliveryRow,
    | ("merchantId" | "id" | "endpointId" | "eventId" | "sequence" | "status" | "attemptCount" | "nextAttemptAt")
    | ("lastResponseStatus" | "lastError" | "deliveredAt" | "createdAt")
  > {
  eventType: (typeof EVENT_TYPES)[number] | typeof TEST_EVENT;
}

export function deliveryFromRow(row: DeliveryRow): Delivery {
  const { merchantId, id, endpointId, eventId, sequence, status, attemptCount, nextAttemptAt } = row;
  const { lastResponseStatus, lastError, deliveredAt, createdAt } = row;
  return {
    ...{ merchantId, id, endpointId, eventId, sequence, status, attemptCount, nextAttemptAt },
    ...{ lastResponseStatus, lastError, deliveredAt, createdAt },
    eventType: row.eventType as Delivery["eventType"],
  };
}

/** Whether a delivery waits for another attempt because its last one failed. One that was delivered and is sent again is not retried. */
export const isRetrying = ({ status, attemptCount, lastResponseStatus }: Delivery): boolean =>
  status === "pending" && attemptCount > 0 && !(lastResponseStatus !== null && lastResponseStatus >= 200 && lastResponseStatus < 300);

/** The same as SQL, on the columns of `webhook_deliveries`. */
export const IS_RETRYING = "status = 'pending' and attempt_count > 0 and (last_response_status between 200 and 299) is not true";

/** One request to an endpoint and its outcome. */
export type Attempt = Omit<AttemptRow, "merchantId" | "deliveryId">;

export const attemptFromRow = ({ merchantId: _merchantId, deliveryId: _deliveryId, ...attempt }: AttemptRow): Attempt => attempt;
