import type { z } from "zod";
import { isoOrNull } from "#lib/time.ts";
import {
  type AttemptObject,
  EVERY_TYPE,
  type WebhookDeliveryDetail,
  type WebhookDeliveryObject,
  type WebhookEndpointObject,
} from "./contract.ts";
import type { Attempt, Delivery } from "./delivery.ts";
import type { EndpointWithSecret } from "./endpoint.ts";

export function presentEndpoint(endpoint: EndpointWithSecret): z.output<typeof WebhookEndpointObject> {
  return {
    id: endpoint.id,
    url: endpoint.url,
    event_types: endpoint.eventTypes ?? [EVERY_TYPE],
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    disabled_at: isoOrNull(endpoint.disabledAt),
    failing_since: isoOrNull(endpoint.failingSince),
    paused_until: isoOrNull(endpoint.pausedUntil),
    ...(endpoint.secret !== undefined && { secret: endpoint.secret }),
    created_at: endpoint.createdAt.toISOString(),
  };
}

export function presentDelivery(delivery: Delivery): z.output<typeof WebhookDeliveryObject> {
  return {
    id: delivery.id,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    sequence: Number(delivery.sequence),
    status: delivery.status,
    attempt_count: delivery.attemptCount,
    next_attempt_at: isoOrNull(delivery.nextAttemptAt),
    last_response_status: delivery.lastResponseStatus,
    last_error: delivery.lastError,
    delivered_at: isoOrNull(delivery.deliveredAt),
    created_at: delivery.createdAt.toISOString(),
  };
}

export function presentDeliveryDetail({
  delivery,
  requestBody,
  attempts,
}: {
  delivery: Delivery;
  requestBody: string;
  attempts: Attempt[];
}): z.output<typeof WebhookDeliveryDetail> {
  return { ...presentDelivery(delivery), request_body: requestBody, attempts: attempts.map(presentAttempt) };
}

function presentAttempt(attempt: Attempt): z.output<typeof AttemptObject> {
  return {
    number: attempt.number,
    url: attempt.url,
    started_at: attempt.startedAt.toISOString(),
    duration_ms: attempt.durationMs,
    request_headers: attempt.requestHeaders,
    response_status: attempt.responseStatus,
    response_body: attempt.responseBody,
    error: attempt.error,
  };
}
