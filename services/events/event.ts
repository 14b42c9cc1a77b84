import type { events } from "#db/schema/events.ts";
import type { EVENT_TYPES } from "./event-types.ts";

type EventRow = typeof events.$inferSelect;

/** Something that happened to a merchant. */
export interface MerchantEvent extends Pick<EventRow, "id" | "sequence" | "data" | "createdAt"> {
  type: (typeof EVENT_TYPES)[number];
}

export const eventFromRow = ({ id, sequence, type, data, createdAt }: EventRow): MerchantEvent => ({
  ...{ id, sequence, data, createdAt },
  type: type as MerchantEvent["type"],
});
