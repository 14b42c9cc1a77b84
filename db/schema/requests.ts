import { sql } from "drizzle-orm";
import { check, index, integer, pgEnum, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, id, moment } from "./columns.ts";

export const idempotencyState = pgEnum("idempotency_state", ["running", "unknown", "done"]);

/** The first request with an Idempotency-Key: a hash of its body, its resource's id and its status. The body is not stored. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    merchantId: id(),
    /** Method and path. */
    scope: text().notNull(),
    key: text().notNull(),
    bodyHash: text().notNull(),
    state: idempotencyState().notNull().default("running"),
    /** Chosen when the key is claimed, before the request runs, so that a retry finishes the same resource. */
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

/** One row for each API call, for the merchant to read. Written in batches off the hot path; bodies are not stored. */
export const requestLog = pgTable(
  "request_log",
  {
    merchantId: id(),
    id: id(),
    /** The caller: a key, or a person with a session. */
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
