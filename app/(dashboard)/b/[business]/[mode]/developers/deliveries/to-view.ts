import type { DeliveryRow } from "#components/developers/deliveries-list.tsx";
import { readableHost } from "#lib/readable-host.ts";
import { type Delivery, type Endpoint, isRetrying } from "#services/webhooks/index.ts";
import { wordOf } from "../events/to-view.ts";

/** Returns the name of an event that is delivered. */
export const eventOf = ({ eventType }: Pick<Delivery, "eventType">): string =>
  eventType === "webhook.test" ? "Test event" : wordOf(eventType);

/** Returns what the last try came to, or undefined before the first one. */
export function answerOf({ lastResponseStatus, attemptCount }: Delivery): string | undefined {
  if (lastResponseStatus !== null) return String(lastResponseStatus);
  return attemptCount === 0 ? undefined : "No answer";
}

export const deliveryStateOf = (delivery: Delivery): DeliveryRow["state"] => (isRetrying(delivery) ? "retrying" : delivery.status);

/** Returns when a delivery is tried again, or undefined where nothing more is sent by itself, or at once. */
export function nextTryOf(delivery: Delivery, endpoint: Endpoint | undefined, now: Date): Date | undefined {
  const { nextAttemptAt } = delivery;
  const waits = isRetrying(delivery) && endpoint?.status === "enabled" && nextAttemptAt !== null && nextAttemptAt > now;
  return waits ? nextAttemptAt : undefined;
}

export const hostOf = readableHost;

/** Returns the row of a delivery. `path` is that of the list, `endpoints` those of the merchant; a deleted one is not among them. */
export const toDeliveryRow = (delivery: Delivery, path: string, endpoints: readonly Endpoint[], now: Date): DeliveryRow => {
  const { id, endpointId, attemptCount, createdAt } = delivery;
  const endpoint = endpoints.find((known) => known.id === endpointId);
  return {
    ...{ id, createdAt, attempts: attemptCount },
    state: deliveryStateOf(delivery),
    nextTryAt: nextTryOf(delivery, endpoint, now),
    href: `${path}/${id}`,
    event: eventOf(delivery),
    answer: answerOf(delivery),
    host: endpoint ? hostOf(endpoint.url) : "A deleted endpoint",
  };
};
