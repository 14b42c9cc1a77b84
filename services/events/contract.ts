import { z } from "zod";
import { createdRange, PageQuery } from "../page-query.ts";
import { EVENT_TYPES } from "./event-types.ts";

export { EVENT_TYPES };

export const EventObject = z
  .object({
    id: z.string(),
    type: z.enum(EVENT_TYPES),
    timestamp: z.iso.datetime(),
    sequence: z.number().int().meta({ description: "Counts from 1 without gaps for each merchant and mode." }),
    data: z.record(z.string(), z.unknown()).meta({ description: "The same object that the API returns." }),
  })
  .meta({ id: "Event" });

/** The body of a webhook. The event's id is in the `webhook-id` header. */
export const WebhookBody = EventObject.omit({ id: true }).meta({ id: "WebhookBody" });

export const EventFeed = z
  .object({
    data: z.array(EventObject),
    pagination: z.object({
      next_cursor: z.string().nullable().meta({
        description:
          "Send as `after` for the next page; null at the end of the feed. To ask again later, send the highest `sequence` that you have.",
      }),
      has_more: z.boolean(),
    }),
  })
  .meta({ id: "EventFeed" });

export const ListEventsQuery = PageQuery.extend({
  type: z.enum(EVENT_TYPES, { error: `Send an event type: ${EVENT_TYPES.join(", ")}.` }).optional(),
  resource: z
    .string()
    .regex(/^[\w-]{1,64}$/, "Send an id, a reference or an order number.")
    .optional()
    .meta({
      description: "The id, reference or order number of what the event is about; of a card or cardholder also what happened with it.",
    }),
  ...createdRange("Events"),
}).meta({ id: "ListEventsQuery" });

export const EventFeedQuery = z.object({
  after: z
    .string()
    // Refuses an empty text, because `Number` would turn it into 0 and the feed would begin again.
    .regex(/^\d{1,15}$/, "Send the sequence of the last event that you have, or 0.")
    .transform(Number)
    .default(0)
    .meta({ description: "The sequence of the last event that you have; 0 for the beginning." }),
  limit: z.coerce
    .number({ error: "Send a whole number from 1 to 100." })
    .int("Send a whole number from 1 to 100.")
    .min(1, "Send at least 1.")
    .max(100, "Send at most 100.")
    .default(20),
});
