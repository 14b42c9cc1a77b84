import { sql } from "drizzle-orm";
import { bigint, check, index, integer, jsonb, pgEnum, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, id, moment } from "./columns.ts";

export const checkKind = pgEnum("check_kind", ["invariants", "cards"]);

/** A finding of a check, as operators read it. Without card numbers, tokens or names. */
export interface CheckFinding {
  /** The rule that is broken, or the thing that differs. */
  what: string;
  /** So many rows break it. */
  rows: number;
  /** Some of them, shortened. */
  shown: string;
}

/** Full passes over the books and over the cards of issuers, which the worker makes each night. Pages show the last one and start none. */
export const checkRuns = pgTable(
  "check_runs",
  {
    id: id(),
    kind: checkKind().notNull(),
    /** The postings whose causes were checked. Null: from the first one on. Sums are always checked whole. */
    fromTime: moment(),
    toTime: moment().notNull(),
    startedAt: createdAt(),
    /** Null: it runs, or its process died. */
    finishedAt: moment(),
    /** Ledger entries, or cards. */
    rowsRead: bigint({ mode: "number" }),
    findings: integer(),
    /** The first findings. */
    sample: jsonb().$type<CheckFinding[]>().notNull().default([]),
    /** Why it could not be made, in few words. The log has all. */
    failure: text(),
  },
  (t) => [
    primaryKey({ name: "check_runs_pkey", columns: [t.id] }),
    index("check_runs_latest").on(t.startedAt, t.id),
    check("check_runs_finished", sql`(${t.finishedAt} is null) = (${t.findings} is null and ${t.failure} is null)`),
  ],
);
