import { sql } from "drizzle-orm";
import { check, index, integer, pgEnum, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, id, moment } from "./columns.ts";

export const idempotencyState = pgEnum("idempotency_state", ["running", "unknown", "done"]);

/** What the first request with an Idempotency-Key made: a hash of its body, the id of its resource and its status. Never the body. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    merchantId: id(),
    /** Method and path. */
    scope: text().notNull(),
    key: text().notNull(),
    bodyHash: text().notNull(),
    state: idempotencyState().notNull().default("running"),
    /** Chosen with the claim, before anything runs, so that a replay finishes the same resource. */
    resourceId: id(),
    status: integer(),
    lockedUntil: moment().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "idempotency_keys_pkey", columns: [t.merchantId, t.scope, t.key] }),
    index("idempotency_keys_by_age").on(t.createdAt),
    check("idempotency_keys_done_has_status", sql`(${t.state} = 'done') = (${t.status} is not null)`),
  ],
);

/** One row a call, for the merchant's own eyes. Written in batches off the hot path; bodies are not kept. */
export const requestLog = pgTable(
  "request_log",
  {
    merchantId: id(),
    id: id(),
    /** Who asked: a key, or a person with a session. */
    apiKeyId: text(),
    userId: text(),
    method: text().notNull(),
    path: text().notNull(),
    status: integer().notNull(),
    errorCode: text(),
    durationMs: integer().notNull(),
    clientAddress: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "request_log_pkey", columns: [t.merchantId, t.id] }),
    check("request_log_by_one", sql`num_nonnulls(${t.apiKeyId}, ${t.userId}) = 1`),
  ],
);
