import { sql } from "drizzle-orm";
import { bigint, check, foreignKey, index, integer, jsonb, pgEnum, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, id, moment } from "./columns.ts";

export const endpointStatus = pgEnum("endpoint_status", ["enabled", "disabled", "deleted"]);
/** `merchant`: by itself. `gone`: it answered 410. `failing`: it failed for five days. */
export const disabledReason = pgEnum("disabled_reason", ["merchant", "gone", "failing"]);
export const deliveryStatus = pgEnum("delivery_status", ["pending", "delivered", "failed"]);

/** An address of a merchant that is told of events. Its deliveries are started by the one worker that holds its lease. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    merchantId: id(),
    id: id(),
    url: text().notNull(),
    /** Null is every type, those to come too. */
    eventTypes: text().array(),
    status: endpointStatus().notNull().default("enabled"),
    disabledReason: disabledReason(),
    disabledAt: moment(),
    /** Since when no attempt has succeeded. */
    failingSince: moment(),
    lastFailedAt: moment(),
    /** Nothing is sent before this: it asked for time, or has just failed. */
    pausedUntil: moment(),
    /** A deleted one stays until nothing can be on its way to it any more. */
    deletedAt: moment(),
    leasedBy: text(),
    leasedUntil: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "webhook_endpoints_pkey", columns: [t.merchantId, t.id] }),
    check("webhook_endpoints_disabled_for_a_reason", sql`(${t.status} = 'disabled') = (${t.disabledReason} is not null)`),
    check("webhook_endpoints_deleted_at_a_time", sql`(${t.status} = 'deleted') = (${t.deletedAt} is not null)`),
    check("webhook_endpoints_disabled_at_a_time", sql`(${t.disabledReason} is null) = (${t.disabledAt} is null)`),
  ],
);

/** The signing secrets of an endpoint, sealed (lib/sealed): the newest one, and those before it until their overlap ends. */
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

// True of every row. A list that states it may use the index that it names; a lookup by key, which does not, cannot (docs/decisions/0008).
export const OPENS_DELIVERIES_OF_ENDPOINT = "attempt_count >= 0";

/**
 * One event on its way to one endpoint; written with the event. Its id follows from both, so that there is one row however often it
 * is asked for. `sequence` is 0 for a test event, which is in no feed.
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
    /** Attempts ever made. */
    attemptCount: integer().notNull().default(0),
    /** Attempts made since it was last sent, or sent again: the place in the retry table. */
    tries: integer().notNull().default(0),
    /** How often its merchant asked for it again. An attempt that began before says nothing of what was asked since. */
    resends: integer().notNull().default(0),
    /** The request that asked last: finished by a replay, it does not ask twice. */
    lastResendId: text(),
    nextAttemptAt: moment().defaultNow(),
    lastResponseStatus: integer(),
    lastError: text(),
    deliveredAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "webhook_deliveries_pkey", columns: [t.merchantId, t.id] }),
    // Each partial: see the note on payment_links. The first two are how a worker finds what is due, in the order in which it starts.
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

/** One request to an endpoint and what came of it. Its body is that of the event; of an answer the first 16 KB are kept. */
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
    /** Why there is no answer, or not all of one. */
    error: text(),
  },
  (t) => [
    primaryKey({ name: "webhook_attempts_pkey", columns: [t.merchantId, t.deliveryId, t.number] }),
    index("webhook_attempts_by_age").on(t.startedAt),
    check("webhook_attempts_answer_or_error", sql`${t.responseStatus} is not null or ${t.error} is not null`),
  ],
);

/** What a merchant should know without having asked. */
export const alerts = pgTable(
  "alerts",
  {
    merchantId: id(),
    id: id(),
    type: text().notNull(),
    message: text().notNull(),
    /** What it is about. */
    resourceId: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "alerts_pkey", columns: [t.merchantId, t.id] })],
);
