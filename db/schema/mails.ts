import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, id, moment } from "./columns.ts";

/**
 * A mail to a person. It waits while it has a next attempt; afterwards it is sent or has failed, and its body is erased. It belongs to
 * people, who may be in several businesses, so no merchant leads the key.
 */
export const mails = pgTable(
  "mails",
  {
    id: id(),
    recipient: text().notNull(),
    kind: text({
      enum: ["verify_email", "reset_password", "email_taken", "password_changed", "new_device", "second_factor_changed", "invitation"],
    }).notNull(),
    /** Subject, text and HTML, sealed (lib/sealed) for this row. */
    sealedBody: text(),
    attempts: integer().notNull().default(0),
    /** The next attempt. While an attempt runs, this is the end of its lease. */
    nextAttemptAt: moment().defaultNow(),
    sentAt: moment(),
    failedAt: moment(),
    /** The class of the last failure. It contains no words of a server, because they may repeat the address or the body. */
    lastError: text(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "mails_pkey", columns: [t.id] }),
    // Mails that strangers can cause by signing up come after the others.
    index("mails_due").on(sql`(${t.kind} in ('verify_email', 'email_taken'))`, t.nextAttemptAt).where(sql`${t.nextAttemptAt} is not null`),
    index("mails_by_recipient").on(t.recipient, t.createdAt),
    index("mails_by_age").on(t.createdAt),
    check("mails_end_once", sql`num_nonnulls(${t.sentAt}, ${t.failedAt}) <= 1`),
    check("mails_body_while_waiting", sql`(${t.sealedBody} is not null) = (num_nonnulls(${t.sentAt}, ${t.failedAt}) = 0)`),
    check("mails_next_attempt_while_waiting", sql`(${t.nextAttemptAt} is not null) = (num_nonnulls(${t.sentAt}, ${t.failedAt}) = 0)`),
    check("mails_recipient_is_one_address", sql`${t.recipient} ~ '^[A-Za-z0-9._%+''-]+@[A-Za-z0-9.-]+$'`),
    check("mails_last_error_is_a_class", sql`${t.lastError} ~ '^[a-z_]{1,32}$'`),
    check("mails_failed_for_a_reason", sql`${t.failedAt} is null or ${t.lastError} is not null`),
  ],
);
