import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgEnum, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
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
    /** Set in the transaction that did all of the request's work. A retry is answered, and executes nothing. */
    executedAt: moment(),
    lockedUntil: moment().notNull(),
    /** The process that runs the request. */
    processId: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "idempotency_keys_pkey", columns: [t.merchantId, t.scope, t.key] }),
    index("idempotency_keys_by_age").on(t.createdAt),
    check("idempotency_keys_done_has_status", sql`(${t.state} = 'done') = (${t.status} is not null)`),
  ],
);

/** The caller of an endpoint: a server with a pair of keys, or a member with a session. */
export const requestCaller = pgEnum("request_caller", ["key", "member"]);

/**
 * One row for each API call, for the merchant to read. Written in batches off the hot path, and kept for 30 days: split by its id, which begins with
 * its time, into weeks (db/weeks.ts). It has names of fields: never a value, a body or a header.
 */
export const requestLog = pgTable(
  "request_log",
  {
    merchantId: id(),
    id: id(),
    caller: requestCaller().notNull(),
    apiKeyId: text(),
    userId: text(),
    /** The endpoint's name in the OpenAPI document. Null if the path is no endpoint, and in rows that are older than the names. */
    endpoint: text(),
    method: text().notNull(),
    path: text().notNull(),
    status: integer().notNull(),
    errorCode: text(),
    durationMs: integer().notNull(),
    clientAddress: text().notNull(),
    /** The names of the query's parameters, and of the body's fields. */
    queryFields: text().array().notNull().default([]),
    bodyFields: text().array().notNull().default([]),
    /** Each refused field with the advice of the answer. */
    problems: jsonb().$type<{ param: string; message: string }[]>().notNull().default([]),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "request_log_pkey", columns: [t.merchantId, t.id] }),
    // Partial, for the reason noted at payment_links.
    // Includes all columns by which failures are grouped, so that reading 2,000 of them reads no row of the table.
    index("request_log_failed")
      .on(t.merchantId, t.id, t.errorCode, t.method, t.endpoint, t.caller, t.createdAt)
      .where(sql`${t.status} >= 400`),
    index("request_log_broken").on(t.merchantId, t.id).where(sql`${t.status} >= 500`),
    index("request_log_by_code").on(t.merchantId, t.errorCode, t.id).where(sql`${t.errorCode} is not null`),
    check("request_log_by_one", sql`num_nonnulls(${t.apiKeyId}, ${t.userId}) = 1`),
    check("request_log_caller", sql`(${t.caller} = 'key') = (${t.apiKeyId} is not null)`),
  ],
);
