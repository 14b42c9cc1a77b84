import type { EVENT_TYPES } from "../events/index.ts";

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
  heldUntil: Date | null;
  createdAt: Date;
}

/** With its signing secret, which is shown once. */
export interface EndpointWithSecret extends Endpoint {
  secret?: string;
}
