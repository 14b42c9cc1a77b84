import type { webhookEndpoints } from "#db/schema/webhooks.ts";
import type { EVENT_TYPES } from "../events/index.ts";

type EndpointRow = typeof webhookEndpoints.$inferSelect;

export type EndpointStatus = "enabled" | "disabled";
export type DisabledReason = "merchant" | "gone" | "failing";

/** An address that a merchant has us tell of events. */
export interface Endpoint {
  merchantId: string;
  id: string;
  url: string;
  /** Null is every type, those to come too. */
  eventTypes: (typeof EVENT_TYPES)[number][] | null;
  status: EndpointStatus;
  disabledReason: DisabledReason | null;
  disabledAt: Date | null;
  failingSince: Date | null;
  /** Nothing is sent before this. */
  pausedUntil: Date | null;
  createdAt: Date;
}

/** With its signing secret, which is shown once. */
export interface EndpointWithSecret extends Endpoint {
  secret?: string;
}

/** Throws an Error for one that is deleted: merchants do not see it any more. */
export function endpointFromRow({ status, eventTypes, ...row }: EndpointRow): Endpoint {
  if (status === "deleted") throw new Error(`endpoint ${row.id} is deleted`);
  const { merchantId, id, url, disabledReason, disabledAt, failingSince, pausedUntil, createdAt } = row;
  return {
    merchantId,
    id,
    url,
    disabledReason,
    disabledAt,
    failingSince,
    pausedUntil,
    createdAt,
    status,
    eventTypes: eventTypes as Endpoint["eventTypes"],
  };
}
