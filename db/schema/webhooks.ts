import { sql } from "drizzle-orm";
import { bigint, check, foreignKey, index, integer, jsonb, pgEnum, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, id, moment, reachedMoment } from "./columns.ts";

export const endpointStatus = pgEnum("endpoint_status", ["enabled", "disabled", "deleted"]);
/** `merchant`: the merchant disabled it. `gone`: the endpoint answered 410. `failing`: it failed for five days. */
export const disabledReason = pgEnum("disabled_reason", ["merchant", "gone", "failing"]);
export const deliveryStatus = pgEnum("delivery_status", ["pending", "delivered", "failed"]);

/** An address of a merchant that gets events. Only the worker that has its lease starts its deliveries. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    merchantId: id(),
    id: id(),
    url: text().notNull(),
    /** Null means every type, future types included. */
    eventTypes: text().array(),
    status: endpointStatus().notNull().default("enabled"),
    disabledReason: disabledReason(),
    disabledAt: moment(),
    /** The time of the first failure of the present outage. */
    failingSince: moment(),
    lastFailedAt: moment(),
    /** The time of the oldest event not delivered in this outage, or waiting when it was disabled. Kept when it is enabled again. */
    missedFrom: moment(),
    /** No attempt starts before this time, because the endpoint asked for a pause or has just failed. */
    pausedUntil: moment(),
    /** A deleted endpoint's row stays until no attempt to it can be in flight. */
    deletedAt: moment(),
    leasedBy: text(),
    leasedUntil: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "webhook_endpoints_pkey", columns: [t.merchantId, t.id] }),
    index("webhook_endpoints_failing").on(t.failingSince).where(sql`${t.status} = 'enabled' and ${t.failingSince} is not null`),
    check("webhook_endpoints_disabled_for_a_reason", sql`(${t.status} = 'disabled') = (${t.disabledReason} is not null)`),
    check("webhook_endpoints_deleted_at_a_time", sql`(${t.status} = 'deleted') = (${t.deletedAt} is not null)`),
    check("webhook_endpoints_disabled_at_a_time", sql`(${t.disabledReason} is null) = (${t.disabledAt} is null)`),
  ],
);

/** The signing secrets of an endpoint, sealed (lib/sealed): the newest one, and older ones until their overlap ends. */
export const webhookSecrets = pgTable(
  "webhook_secrets",
  { merchantId: id(), endpointId: id(), id: id(), sealed: text().notNull(), expiresAt: moment(), createdAt: createdAt() },
  (t) => [
    primaryKey({ name: "webhook_secrets_pkey", columns: [t.merchantId, t.endpointId, t.id] }),
    foreignKey({
      name: "webhook_secrets_endpoint_fkey",
      columns: [t.merchantId, t.endpointId],
      foreignColumns: [webhookEndpoints.merchantId, webhookEndpoints.id],
    }),
  ],
);

// True of every row. A list that states it may use this partial index; a lookup by key does not state it, so it cannot (docs/decisions/0008).
export const OPENS_DELIVERIES_OF_ENDPOINT = "attempt_count >= 0";

/**
 * One event for one endpoint, written with the event. Its id is derived from both, so repeated requests find the same row. `sequence` is
 * 0 for a test event, which is in no feed.
 */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    merchantId: id(),
    id: id(),
    endpointId: id(),
    eventId: id(),
    eventType: text().notNull(),
    sequence: bigint({ mode: "bigint" }).notNull(),
    status: deliveryStatus().notNull().default("pending"),
    /** All attempts. */
    attemptCount: integer().notNull().default(0),
    /** Attempts since the first send or the last resend: the position in the retry schedule. */
    tries: integer().notNull().default(0),
    /** How often the merchant asked for a resend. An attempt that began before a resend does not settle it. */
    resends: integer().notNull().default(0),
    /** The request of the last resend, so that a retry of that request does not resend again. */
    lastResendId: text(),
    nextAttemptAt: reachedMoment(),
    lastResponseStatus: integer(),
    lastError: text(),
    deliveredAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "webhook_deliveries_pkey", columns: [t.merchantId, t.id] }),
    // Each is partial, for the reason noted at payment_links. The first two give a worker its due deliveries in the order of their start.
    index("webhook_deliveries_fresh")
      .on(t.merchantId, t.endpointId, t.sequence)
      .where(sql`${t.status} = 'pending' and ${t.attemptCount} = 0`),
    index("webhook_deliveries_retries")
      .on(t.merchantId, t.endpointId, t.nextAttemptAt, t.sequence)
      .where(sql`${t.status} = 'pending' and ${t.attemptCount} > 0`),
    index("webhook_deliveries_pending").on(t.merchantId, t.id).where(sql`${t.status} = 'pending'`),
    index("webhook_deliveries_failed").on(t.merchantId, t.id).where(sql`${t.status} = 'failed'`),
    check("webhook_deliveries_pending_has_next", sql`(${t.status} = 'pending') = (${t.nextAttemptAt} is not null)`),
    index("webhook_deliveries_of_endpoint").on(t.merchantId, t.endpointId, t.id).where(sql`${t.attemptCount} >= 0`),
    check("webhook_deliveries_delivered_at_a_time", sql`(${t.status} = 'delivered') = (${t.deliveredAt} is not null)`),
  ],
);

/**
 * One request to an endpoint with its answer. The request's body is the event's; at most 16 KB of the answer are stored. Kept for 30 days: split by
 * its start into weeks (db/weeks.ts).
 */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    merchantId: id(),
    deliveryId: id(),
    number: integer().notNull(),
    url: text().notNull(),
    requestHeaders: jsonb().$type<Record<string, string>>().notNull(),
    startedAt: moment().notNull(),
    durationMs: integer().notNull(),
    responseStatus: integer(),
    responseBody: text(),
    /** The reason why there is no answer, or only a part of one. */
    error: text(),
  },
  (t) => [
    primaryKey({ name: "webhook_attempts_pkey", columns: [t.merchantId, t.deliveryId, t.startedAt] }),
    check("webhook_attempts_answer_or_error", sql`${t.responseStatus} is not null or ${t.error} is not null`),
  ],
);
