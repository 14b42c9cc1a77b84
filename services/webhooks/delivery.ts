import type { webhookAttempts, webhookDeliveries } from "#db/schema/webhooks.ts";
import type { EVENT_TYPES } from "../events/index.ts";

export const TEST_EVENT = "webhook.test";

/** One event on its way to one endpoint. */
export type Delivery = Omit<typeof webhookDeliveries.$inferSelect, "eventType"> & {
  eventType: (typeof EVENT_TYPES)[number] | typeof TEST_EVENT;
};
export type Attempt = typeof webhookAttempts.$inferSelect;
