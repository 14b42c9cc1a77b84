import { sql } from "drizzle-orm";
import { check, foreignKey, index, integer, pgEnum, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, id, moment, reachedMoment } from "./columns.ts";
import { users } from "./tenants.ts";

export const userTokenKind = pgEnum("user_token_kind", ["verify_email", "reset_password", "not_me", "ask_removal", "remove_factors"]);

/** Links in mails, and the one page after a reset (`ask_removal`). The link has the token; only its keyed hash is stored, and it works once. */
export const userTokens = pgTable(
  "user_tokens",
  {
    hash: text().notNull(),
    kind: userTokenKind().notNull(),
    userId: id(),
    /** Only for `not_me`: from this time on, changes of the account were not its owner's. */
    since: moment(),
    expiresAt: moment().notNull(),
    usedAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "user_tokens_pkey", columns: [t.hash] }),
    foreignKey({ name: "user_tokens_user_fkey", columns: [t.userId], foreignColumns: [users.id] }),
    index("user_tokens_by_user").on(t.userId, t.kind, t.createdAt),
    check("user_tokens_hash", sql`${t.hash} ~ '^[0-9a-f]{64}$'`),
  ],
);

/** Failed attempts to sign in, by account, network, site or device; also sign-ups and reset requests by network. Shared by all processes. */
export const signInFailures = pgTable(
  "sign_in_failures",
  {
    /** A keyed hash of a kind with the account, network, site or device, so that the table names neither emails nor addresses. */
    source: text().notNull(),
    failures: integer().notNull(),
    lastFailedAt: moment().notNull().defaultNow(),
    /** Attempts before this time are refused and not counted. */
    blockedUntil: reachedMoment().notNull(),
  },
  (t) => [primaryKey({ name: "sign_in_failures_pkey", columns: [t.source] }), check("sign_in_failures_counted", sql`${t.failures} > 0`)],
);

/** Browsers in which a user has signed in. The cookie has the token; only its keyed hash is stored. */
export const knownDevices = pgTable(
  "known_devices",
  { userId: id(), hash: text().notNull(), lastUsedAt: createdAt(), createdAt: createdAt() },
  (t) => [
    primaryKey({ name: "known_devices_pkey", columns: [t.userId, t.hash] }),
    foreignKey({ name: "known_devices_user_fkey", columns: [t.userId], foreignColumns: [users.id] }),
  ],
);
