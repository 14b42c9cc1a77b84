import { z } from "zod";
import { EVENT_TYPES } from "../events/contract.ts";
import { instant } from "../fields.ts";
import { PageQuery } from "../page-query.ts";

export const EVERY_TYPE = "*";

const unknownType = `Send event types, or ["*"] for all of them: ${EVENT_TYPES.join(", ")}.`;

const EventTypes = z
  .array(z.enum([EVERY_TYPE, ...EVENT_TYPES], { error: unknownType }), { error: "Send a list of event types." })
  .min(1, "Send at least one event type.")
  .transform((types) => {
    const distinct = [...new Set(types)].filter((type) => type !== EVERY_TYPE);
    return types.includes(EVERY_TYPE) ? null : distinct;
  })
  .meta({ description: 'Which events to send. Default `["*"]`: all, those to come too.' });

const url = z.string({ error: "Send an https address." }).meta({
  description: "https on the public internet; port 443 in live mode. Redirects are not followed.",
  example: "https://shop.example/webhooks",
});

export const CreateWebhookEndpoint = z.strictObject({ url, event_types: EventTypes.optional() }).meta({ id: "CreateWebhookEndpoint" });

export const ChangeWebhookEndpoint = z
  .strictObject({
    url: url.optional(),
    event_types: EventTypes.optional().meta({ description: 'Which events to send. `["*"]`: all, those to come too; `null` is refused.' }),
    status: z.enum(["enabled", "disabled"], { error: "Send enabled or disabled." }).optional(),
  })
  .meta({ id: "ChangeWebhookEndpoint" });

const MAX_OVERLAP_HOURS = 168;

export const RollWebhookSecret = z
  .strictObject({
    overlap_hours: z
      .number({ error: "Send a number of hours." })
      .min(0, "Send 0 or more hours.")
      .max(MAX_OVERLAP_HOURS, `Send at most ${MAX_OVERLAP_HOURS} hours.`)
      .default(24)
      .meta({
        description:
          "How long the secrets before it go on signing beside the new one, at most. 0 ends them at once. Five may be live together.",
      }),
  })
  .meta({ id: "RollWebhookSecret" });

export const ResendSince = z
  .strictObject({
    since: z.iso
      .datetime({ offset: true, error: "Send a time like 2026-11-21T08:00:00Z." })
      .transform((text) => new Date(text))
      .meta({
        description:
          "Everything from this time on that was not delivered is sent again. At most 30 days ago; nothing from before the endpoint was made.",
      }),
    after: z
      .int("Send `last_sequence` of the answer before.")
      .min(0, "Send `last_sequence` of the answer before.")
      .default(0)
      .meta({ description: "Only events behind this sequence: `last_sequence` of the answer before, to go on." }),
  })
  .meta({ id: "ResendSince" });

/** Text that cannot be an id becomes an empty one, so that the answer is RESOURCE_NOT_FOUND, as for any unknown id. */
const id = z.string().transform((text) => (/^\w{1,64}$/.test(text) ? text : ""));

export const EndpointParams = z.object({ id: id.meta({ description: "The id of the webhook endpoint." }) });

export const DeliveryParams = z.object({ id: id.meta({ description: "The id of the delivery." }) });

const MAX_CHOSEN = 100;

export const ResendDeliveries = z
  .strictObject({
    ids: z
      .array(z.string().regex(/^\w{1,64}$/, "Send ids of deliveries."), { error: "Send a list of ids." })
      .min(1, "Choose at least one delivery.")
      .max(MAX_CHOSEN, `Choose at most ${MAX_CHOSEN} deliveries.`)
      .transform((ids) => [...new Set(ids)]),
  })
  .meta({ id: "ResendDeliveries" });

export const ResentDeliveries = z
  .object({
    sent: z.number().int(),
    not_sent: z.number().int().meta({ description: "They are unknown, or their endpoint is disabled or deleted." }),
  })
  .meta({ id: "ResentDeliveries" });

export const ListDeliveriesQuery = PageQuery.extend({
  endpoint_id: z
    .string()
    .regex(/^\w{1,64}$/, "Send the id of a webhook endpoint.")
    .optional(),
  status: z.enum(["pending", "delivered", "failed"], { error: "Send pending, delivered or failed." }).optional(),
  event_type: z.enum(["webhook.test", ...EVENT_TYPES], { error: "Send an event type, such as checkout.success." }).optional(),
  answer: z
    .enum(["2xx", "3xx", "4xx", "5xx", "none"], { error: "Send 2xx, 3xx, 4xx, 5xx or none." })
    .optional()
    .meta({ description: "The status of the last answer. `none`: it was tried, and there was no answer." }),
  created_after: instant.optional().meta({ description: "Deliveries of events at or after this time." }),
  created_before: instant.optional().meta({ description: "Deliveries of events before this time." }),
});

export const WebhookEndpointObject = z
  .object({
    id: z.string(),
    url: z.string(),
    event_types: z.array(z.enum([EVERY_TYPE, ...EVENT_TYPES])),
    status: z.enum(["enabled", "disabled"]),
    disabled_reason: z
      .enum(["merchant", "gone", "failing"])
      .nullable()
      .meta({ description: "`gone`: it answered 410. `failing`: it failed for five days." }),
    disabled_at: z.iso.datetime().nullable(),
    failing_since: z.iso.datetime().nullable().meta({ description: "Since when no attempt has succeeded." }),
    paused_until: z.iso.datetime().nullable().meta({
      description: "Nothing is sent before this: it has just failed, or asked for time (a minute at most). `PATCH` with `enabled` ends it.",
    }),
    secret: z.string().optional().meta({ description: "Verifies signatures. Shown this once." }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "WebhookEndpoint" });

export const DeletedEndpoint = z.object({ id: z.string(), deleted: z.literal(true) }).meta({ id: "DeletedWebhookEndpoint" });

const deliveryFields = {
  id: z.string(),
  endpoint_id: z.string(),
  event_id: z.string().meta({ description: "The `webhook-id` header, the same for each attempt." }),
  event_type: z.enum(["webhook.test", ...EVENT_TYPES]),
  sequence: z.number().int().meta({ description: "Of the event; 0 for a test event." }),
  status: z.enum(["pending", "delivered", "failed"]),
  attempt_count: z.number().int(),
  next_attempt_at: z.iso.datetime().nullable(),
  last_response_status: z.number().int().nullable(),
  last_error: z.string().nullable(),
  delivered_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
};

export const WebhookDeliveryObject = z.object(deliveryFields).meta({ id: "WebhookDelivery" });

export const AttemptObject = z
  .object({
    number: z.number().int(),
    url: z.string(),
    started_at: z.iso.datetime(),
    duration_ms: z.number().int(),
    request_headers: z.record(z.string(), z.string()),
    response_status: z.number().int().nullable(),
    response_body: z.string().nullable().meta({ description: "The first 16 KB." }),
    error: z.string().nullable(),
  })
  .meta({ id: "WebhookAttempt" });

export const WebhookDeliveryDetail = z
  .object({
    ...deliveryFields,
    request_body: z.string().meta({ description: "What is sent, to the byte." }),
    attempts: z.array(AttemptObject),
  })
  .meta({ id: "WebhookDeliveryDetail" });

export const ResendAnswer = z
  .object({
    endpoint_id: z.string(),
    sent: z.number().int().meta({ description: "Deliveries that this request sends again." }),
    last_sequence: z.number().int().meta({ description: "Up to this sequence nothing is left to be sent. Send it as `after` to go on." }),
    left: z.number().int().meta({
      description:
        "Events behind it that are still to be sent again. More than 10,000 are not counted, and no more than 200,000 events are looked at. 0 only where nothing is left.",
    }),
    left_is_exact: z.boolean().meta({
      description: "Whether `left` is the whole number. If not, more may be left, and `left` is 1 where none was found so far.",
    }),
    pending: z
      .number()
      .int()
      .meta({ description: "Deliveries that wait to be sent to this endpoint. More than 100,000 may not all be counted." }),
  })
  .meta({ id: "ResendAnswer" });

export const MissedQuery = z.object({ since: ResendSince.shape.since });

export const MissedEvents = z
  .object({
    endpoint_id: z.string(),
    missed: z.number().int().meta({
      description:
        "Events since then that sending again would send. More than 10,000 are not counted, and no more than 200,000 events are looked at.",
    }),
    missed_is_exact: z.boolean().meta({ description: "Whether `missed` is the whole number. If not, it is the least number." }),
  })
  .meta({ id: "MissedEvents" });
