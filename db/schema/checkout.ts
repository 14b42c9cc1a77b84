import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { createdAt, id, madeBy, metadata, minorUnits, moment, reachedMoment } from "./columns.ts";
import { currency } from "./ledger.ts";

export const linkStatus = pgEnum("link_status", ["pending", "success", "expired"]);
/** `unmatched` is money for an unknown account; it is booked to the platform's own merchant. */
export const transferClassification = pgEnum("transfer_classification", [
  "exact",
  "underpaid",
  "overpaid",
  "late",
  "duplicate",
  "unmatched",
]);
export const transferDisposition = pgEnum("transfer_disposition", ["accepted", "returned", "suspended", "recalled"]);
/** Whether the bank still has money that it must send back. */
export const returnState = pgEnum("return_state", ["none", "owed", "done"]);

/** Compares the merchant by an expression, so that PostgreSQL can read due links by `payment_links_due_to_expire` alone (docs/decisions/0013). */
export const MERCHANT_AFTER_EXPIRY = "t.merchant_id || ''";

/** True of every link. A search for due links of all merchants states it and may use their index; the list of a merchant's pending links does not. */
export const OPENS_DUE_LINKS = "amount > 0";

/**
 * Returns the subquery of the merchant's link that has a reference. It asks for a range in the order of `payment_links_reference`, so the planner
 * takes this index even while the table is empty; for an equality, the primary key would cost the same (docs/decisions/0008).
 */
export const linkOfReference = (merchantId: string, reference: string) =>
  `(select * from payment_links where merchant_id = ${merchantId} and reference between ${reference} and ${reference} order by reference limit 1)`;

export const paymentLinks = pgTable(
  "payment_links",
  {
    merchantId: id(),
    id: id(),
    reference: text().notNull(),
    amount: minorUnits(),
    currency: currency().notNull().default("NGN"),
    description: text(),
    customerName: text(),
    customerEmail: text(),
    callbackUrl: text(),
    metadata: metadata(),
    status: linkStatus().notNull().default("pending"),
    provider: text().notNull(),
    /** Our reference for the account at the bank: that of the link, or one made of it. */
    providerReference: text().notNull(),
    accountNumber: text().notNull(),
    accountName: text().notNull(),
    bankName: text().notNull(),
    /** The bank's page for payers. Null where it has none. */
    checkoutUrl: text(),
    paidAt: moment(),
    /** When the bank took back the transfer that had paid the link. */
    recalledAt: moment(),
    /** Kobo of the refunds that are paid, and of those that may still be. */
    refundedAmount: minorUnits().default(sql`0`),
    refundingAmount: minorUnits().default(sql`0`),
    /** The reference of the link that this one replaces, and that of the link that replaces this one. One statement writes both rows. */
    replaces: text(),
    replacedBy: text(),
    /** The id of the first link of a chain of replacements, which is one order. Null if it replaces none. Every change locks that link first. */
    firstLinkId: text(),
    /** In the first link of a chain: the reference of the link that has paid the order. */
    orderPaidBy: text(),
    madeBy: madeBy(),
    createdAt: createdAt(),
    expiresAt: moment().notNull(),
  },
  (t) => [
    primaryKey({ name: "payment_links_pkey", columns: [t.merchantId, t.id] }),
    // No second whole index begins with the merchant. On a small table the planner may choose any such index for a lookup by key, and
    // it keeps that plan when the table has grown: each lookup then scans all links of a merchant.
    unique("payment_links_reference").on(t.reference, t.merchantId),
    index("payment_links_pending").on(t.merchantId, t.id).where(sql`${t.status} = 'pending'`),
    index("payment_links_success").on(t.merchantId, t.id).where(sql`${t.status} = 'success'`),
    index("payment_links_expired").on(t.merchantId, t.id).where(sql`${t.status} = 'expired'`),
    index("payment_links_due_to_expire").on(t.expiresAt).where(sql`${t.status} = 'pending' and ${t.amount} > 0`),
    // Only a search by email states the condition, and a link without an email is in no entry (docs/decisions/0026).
    index("payment_links_by_customer_email")
      .on(t.merchantId, sql`lower(${t.customerEmail})`, t.id)
      .where(sql`${t.customerEmail} is not null`),
    // Partial, so that a lookup by key cannot use it, and a link that replaces none writes no entry.
    uniqueIndex("payment_links_one_replacement").on(t.merchantId, t.replaces).where(sql`${t.replaces} is not null`),
    // The partial condition keeps lookups by key away, as above.
    index("payment_links_of_an_order").on(t.merchantId, t.firstLinkId, t.id).where(sql`first_link_id is not null`),
    check(
      "payment_links_first_of_a_chain",
      sql`(replaces is null) = (first_link_id is null) and (first_link_id is null or order_paid_by is null)`,
    ),
    check("payment_links_amount_positive", sql`${t.amount} > 0`),
    check("payment_links_paid_at_when_paid", sql`(${t.status} = 'success') = (${t.paidAt} is not null)`),
    check("payment_links_recalled_when_paid", sql`${t.recalledAt} is null or ${t.status} = 'success'`),
    check(
      "payment_links_refunded_when_paid",
      sql`least(refunded_amount, refunding_amount) >= 0 and (status = 'success' or greatest(refunded_amount, refunding_amount) = 0)`,
    ),
    check("payment_links_replaced_when_not_pending", sql`${t.replacedBy} is null or ${t.status} <> 'pending'`),
    check("payment_links_replace_another", sql`${t.replaces} <> ${t.reference} and ${t.replacedBy} <> ${t.reference}`),
    check("payment_links_expire_after_creation", sql`${t.expiresAt} >= ${t.createdAt}`),
  ],
);

export const linkActivityKind = pgEnum("link_activity_kind", ["opened", "copied", "sent", "unsent", "returned"]);

/** Payers' activity on a link's page, for the merchant's timeline: first and last time, and a sampled count. Does not tell payers apart. */
export const paymentLinkActivity = pgTable(
  "payment_link_activity",
  {
    merchantId: id(),
    linkId: id(),
    kind: linkActivityKind().notNull(),
    firstAt: createdAt(),
    lastAt: createdAt(),
    times: integer().notNull().default(1),
    /** For `sent`: how many transfers the page showed then. The page forgets `sent` once a further transfer arrives. */
    transfersSeen: integer().notNull().default(0),
    /** For `sent` and `unsent`: the highest number that a page gave such a message. The page of the link shows the higher of the two. */
    messageNumber: bigint({ mode: "bigint" }).notNull().default(sql`0`),
  },
  (t) => [
    primaryKey({ name: "payment_link_activity_pkey", columns: [t.merchantId, t.linkId, t.kind] }),
    check("payment_link_activity_in_order", sql`${t.lastAt} >= ${t.firstAt} and ${t.times} > 0`),
  ],
);

/**
 * A directory, because a bank's notice names an account and no merchant. Its key is our reference for the account, because a bank may give a number
 * again. It says also when the account is read next: a notice can be lost.
 */
export const oneTimeAccounts = pgTable(
  "one_time_accounts",
  {
    provider: text().notNull(),
    accountReference: text().notNull(),
    accountNumber: text().notNull(),
    merchantId: id(),
    linkId: id(),
    /** Null once it is not read any more. The default is for links that a process of an earlier version stores. */
    nextReadAt: moment().default(sql`now() + interval '32 minutes'`),
    /** How often reading it has failed since it was read last. */
    readFailures: integer().notNull().default(0),
    /** How often its payer has brought a reading forward. */
    readsAfterSent: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ name: "one_time_accounts_pkey", columns: [t.provider, t.accountReference] }),
    // Searches of merchants.
    index("one_time_accounts_by_number").on(t.accountNumber),
    index("one_time_accounts_due").on(t.provider, t.nextReadAt).where(sql`${t.nextReadAt} is not null`),
  ],
);

/** A directory. Its key is unique across all merchants, so a bank session credits once. */
export const bankSessions = pgTable(
  "bank_sessions",
  { provider: text().notNull(), sessionId: text().notNull(), merchantId: id(), transferId: id() },
  (t) => [primaryKey({ name: "bank_sessions_pkey", columns: [t.provider, t.sessionId] })],
);

/** Money that a bank reports at a one-time account. One row per bank session, however many notices there are (`bank_sessions` ensures that). */
export const bankTransfers = pgTable(
  "bank_transfers",
  {
    merchantId: id(),
    id: id(),
    linkId: text(),
    provider: text().notNull(),
    sessionId: text().notNull(),
    /** Our reference for the account. Null where an earlier version stored the transfer. */
    accountReference: text(),
    /** Null where the bank does not tell it. */
    accountNumber: text(),
    amount: minorUnits(),
    currency: currency().notNull(),
    classification: transferClassification().notNull(),
    disposition: transferDisposition().notNull(),
    senderName: text(),
    senderBank: text(),
    senderAccountLast4: text(),
    receivedAt: moment().notNull(),
    returnState: returnState().notNull().default("none"),
    returnAttempts: integer().notNull().default(0),
    nextReturnAt: moment(),
    /** An operator has recorded that it went back in another way than by the bank. */
    returnedByHand: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "bank_transfers_pkey", columns: [t.merchantId, t.id] }),
    index("bank_transfers_by_link").on(t.merchantId, t.linkId),
    uniqueIndex("bank_transfers_one_accepted_per_link").on(t.merchantId, t.linkId).where(sql`${t.disposition} = 'accepted'`),
    index("bank_transfers_returned").on(t.merchantId, t.id).where(sql`${t.disposition} = 'returned'`),
    // By block ranges, because rows are stored in the order of their arrival.
    index("bank_transfers_by_day").using("brin", t.receivedAt),
    index("bank_transfers_to_return").on(t.nextReturnAt).where(sql`${t.returnState} = 'owed'`),
    check("bank_transfers_last4_is_digits", sql`${t.senderAccountLast4} ~ '^[0-9]{4}$'`),
    check("bank_transfers_amount_positive", sql`${t.amount} > 0`),
    check("bank_transfers_accepted_is_exact", sql`${t.disposition} <> 'accepted' or ${t.classification} = 'exact'`),
    check("bank_transfers_unmatched_has_no_link", sql`(${t.classification} = 'unmatched') = (${t.linkId} is null)`),
    check("bank_transfers_suspended_is_unmatched", sql`${t.disposition} <> 'suspended' or ${t.classification} = 'unmatched'`),
  ],
);

/**
 * A provider's notices, stored before they are acknowledged, and processed at once or by the worker. The payload's hash is in the key,
 * because a bank may use a notice id twice. A notice that fails every attempt is quarantined, and operators are alerted.
 */
export const providerNotices = pgTable(
  "provider_notices",
  {
    provider: text().notNull(),
    noticeId: text().notNull(),
    /** SHA-256 of the payload. */
    payloadHash: text().notNull().default(""),
    payload: jsonb().notNull(),
    quarantinedBecause: text(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: reachedMoment(),
    processedAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "provider_notices_pkey", columns: [t.provider, t.noticeId, t.payloadHash] }),
    index("provider_notices_due").on(t.nextAttemptAt).where(sql`${t.processedAt} is null`),
  ],
);

export const statementSource = pgEnum("statement_source", ["statement", "accounts"]);
/** `account_differs`: another account of ours. `other_day`: our transfer is of another day. */
export const differenceKind = pgEnum("difference_kind", [
  "missing_here",
  "missing_there",
  "amount_differs",
  "account_differs",
  "other_day",
]);

/**
 * A day at a bank, in Lagos, and what was found when its statement was compared with our transfers. Without a statement (`accounts`): how many
 * accounts were opened on it, and of how many the last reading is done.
 */
export const bankDays = pgTable(
  "bank_days",
  {
    provider: text().notNull(),
    day: date({ mode: "string" }).notNull(),
    source: statementSource().notNull(),
    lines: integer().notNull(),
    matched: integer().notNull(),
    readAt: moment().notNull(),
  },
  (t) => [
    primaryKey({ name: "bank_days_pkey", columns: [t.provider, t.day] }),
    check("bank_days_counted", sql`${t.matched} between 0 and ${t.lines}`),
  ],
);

/**
 * A difference between a bank's statement and our transfers. Open until it is explained: by an operator, or by a later comparison that does not find
 * it. One that comes back is open again.
 */
export const statementDifferences = pgTable(
  "statement_differences",
  {
    provider: text().notNull(),
    day: date({ mode: "string" }).notNull(),
    sessionId: text().notNull(),
    /** `in` or `out`, as the bank sees it. */
    direction: text().notNull(),
    kind: differenceKind().notNull(),
    accountReference: text(),
    /** In kobo. Null where it is missing. */
    amountHere: bigint({ mode: "bigint" }),
    amountThere: bigint({ mode: "bigint" }),
    explanation: text(),
    explainedBy: text(),
    explainedAt: moment(),
    /** When a comparison did not find it any more. */
    goneAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "statement_differences_pkey", columns: [t.provider, t.day, t.sessionId, t.direction] }),
    index("statement_differences_open").on(t.provider, t.day).where(sql`${t.explainedAt} is null`),
    check("statement_differences_direction", sql`${t.direction} in ('in', 'out')`),
    check("statement_differences_explained", sql`(${t.explainedAt} is null) = (${t.explanation} is null)`),
  ],
);

/** Whether a bank answered the worker's last check. A bank without a row has not been checked yet. */
export const bankHealth = pgTable(
  "bank_health",
  { provider: text().notNull(), failures: integer().notNull().default(0), downSince: moment(), nextCheckAt: moment().notNull() },
  (t) => [primaryKey({ name: "bank_health_pkey", columns: [t.provider] }), check("bank_health_failures_counted", sql`${t.failures} >= 0`)],
);

/** What the last check of a live provider found. A provider without a row has not been checked. */
export const providerChecks = pgTable(
  "provider_checks",
  {
    provider: text().notNull(),
    /** Null: only a round trip was made. */
    checkedAt: moment(),
    /** Whether every check was passed. */
    isGreen: boolean().notNull(),
    /** Keyed hashes of the settings with which it was checked, and with which the round trip was made. */
    checkFingerprint: text(),
    roundTripFingerprint: text(),
    /** When ₦100 last came by it and paid their link. Null: never. */
    roundTripAt: moment(),
  },
  (t) => [primaryKey({ name: "provider_checks_pkey", columns: [t.provider] })],
);
