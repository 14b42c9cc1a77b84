import { sql } from "drizzle-orm";
import { bigint, check, foreignKey, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, id, moment, reachedMoment } from "./columns.ts";
import { members } from "./tenants.ts";

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
      enum: [
        "verify_email",
        "reset_password",
        "email_taken",
        "password_changed",
        "new_device",
        "second_factor_changed",
        "first_factor_code",
        "remove_factors",
        "colleague_changed",
        "invitation",
        "bank_account_added",
        "refund_account_needed",
        "news",
        "summary",
      ],
    }).notNull(),
    /** Subject, text and HTML, sealed (lib/sealed) for this row. */
    sealedBody: text(),
    attempts: integer().notNull().default(0),
    /** The next attempt. While an attempt runs, this is the end of its lease. */
    nextAttemptAt: reachedMoment(),
    sentAt: moment(),
    failedAt: moment(),
    /** The class of the last failure. The server's own message is not stored, because it may repeat the address or the body. */
    lastError: text(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "mails_pkey", columns: [t.id] }),
    // The order of sending: first other mails, then those that strangers can cause by signing up, and the news of businesses last.
    index("mails_due_in_order")
      .on(
        sql`(case when ${t.kind} in ('news', 'summary') then 2 when ${t.kind} in ('verify_email', 'email_taken') then 1 else 0 end)`,
        t.nextAttemptAt,
      )
      .where(sql`${t.nextAttemptAt} is not null`),
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

/** How often a member is mailed about a topic. Without a row, the default of the member's role counts. Security mails are not a choice. */
export const mailChoices = pgTable(
  "mail_choices",
  {
    businessId: id(),
    userId: id(),
    topic: text({ enum: ["payments", "returns", "wallet", "cards", "developers"] }).notNull(),
    frequency: text({ enum: ["each", "daily", "never"] }).notNull(),
    /** Payments before this time are not mailed. */
    chosenAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "mail_choices_pkey", columns: [t.businessId, t.userId, t.topic] }),
    foreignKey({
      name: "mail_choices_member_fkey",
      columns: [t.businessId, t.userId],
      foreignColumns: [members.businessId, members.userId],
    }).onDelete("cascade"),
    index("mail_choices_payments").on(t.frequency, t.businessId).where(sql`${t.topic} = 'payments' and ${t.frequency} <> 'never'`),
    check("mail_choices_topic", sql`${t.topic} in ('payments', 'returns', 'wallet', 'cards', 'developers')`),
    check("mail_choices_frequency", sql`${t.frequency} in ('each', 'daily', 'never')`),
  ],
);

/** An alert, an event or a day of payments that a member gets a mail about. The primary key makes it once. */
export const mailItems = pgTable(
  "mail_items",
  {
    merchantId: id(),
    userId: id(),
    /** The id of the alert or the event, or `day:2026-11-21`. */
    cause: text().notNull(),
    topic: text({ enum: ["payments", "returns", "wallet", "cards", "developers"] }).notNull(),
    frequency: text({ enum: ["each", "daily"] }).notNull(),
    /** When it is mailed at the earliest. Null: it was mailed, or the member no longer gets such mails. */
    dueAt: moment(),
    mailedAt: moment(),
    mailedIn: text({ enum: ["news", "summary"] }),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "mail_items_pkey", columns: [t.merchantId, t.userId, t.cause] }),
    index("mail_items_due").on(t.dueAt).where(sql`${t.dueAt} is not null`),
    index("mail_items_mailed").on(t.merchantId, t.userId, t.mailedAt).where(sql`${t.mailedAt} is not null`),
    index("mail_items_by_age").on(t.createdAt),
    check("mail_items_mailed_in_a_mail", sql`(${t.mailedAt} is null) = (${t.mailedIn} is null)`),
    check("mail_items_mailed_once", sql`${t.dueAt} is null or ${t.mailedAt} is null`),
  ],
);

/** The last event of a merchant up to which payments were stored as mail items. */
export const mailPositions = pgTable("mail_positions", { merchantId: id(), sequence: bigint({ mode: "bigint" }).notNull() }, (t) => [
  primaryKey({ name: "mail_positions_pkey", columns: [t.merchantId] }),
]);
