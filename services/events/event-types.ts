/** Every event that there is. */
export const EVENT_TYPES = ["checkout.success", "checkout.expired", "checkout.transfer_rejected"] as const;

export type EventType = (typeof EVENT_TYPES)[number];
