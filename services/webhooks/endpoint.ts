import type { webhookEndpoints } from "#db/schema/webhooks.ts";
import type { EVENT_TYPES } from "../events/index.ts";

type EndpointRow = typeof webhookEndpoints.$inferSelect;

export type EndpointStatus = "enabled" | "disabled";
export type DisabledReason = "merchant" | "gone" | "failing";

/** An address of a merchant to which we send events. */
export interface Endpoint {
  merchantId: string;
  id: string;
  url: string;
  /** Null means every type, including types that are added later. */
  eventTypes: (typeof EVENT_TYPES)[number][] | null;
  status: EndpointStatus;
  disabledReason: DisabledReason | null;
  disabledAt: Date | null;
  failingSince: Date | null;
  /** The time of the oldest event that it may have missed: while it fails, while it is disabled, and after it was enabled again. */
  missedFrom: Date | null;
  /** No delivery is sent before this time, except test events. */
  pausedUntil: Date | null;
  createdAt: Date;
}

/** An endpoint with its signing secret, which is shown once. */
export interface EndpointWithSecret extends Endpoint {
  secret?: string;
}

/** Throws an Error for a deleted endpoint, because merchants no longer see it. */
export function endpointFromRow({ status, eventTypes, ...row }: EndpointRow): Endpoint {
  if (status === "deleted") throw new Error(`endpoint ${row.id} is deleted`);
  const { merchantId, id, url, disabledReason, disabledAt, failingSince, missedFrom, pausedUntil, createdAt } = row;
  return {
    merchantId,
    id,
    url,
    disabledReason,
    disabledAt,
    failingSince,
    missedFrom,
    pausedUntil,
    createdAt,
    status,
    eventTypes: eventTypes as Endpoint["eventTypes"],
  };
}
