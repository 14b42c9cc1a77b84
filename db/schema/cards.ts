import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgEnum, pgTable, primaryKey, smallint, text, unique, uniqueIndex } from "drizzle-orm/pg-core";
import { createdAt, id, minorUnits, moment } from "./columns.ts";

export const kycStatus = pgEnum("kyc_status", ["PENDING", "APPROVED", "REJECTED"]);

export const cardStatus = pgEnum("card_status", ["PENDING", "ACTIVE", "FROZEN", "TERMINATED", "FAILED"]);

export const cardBrand = pgEnum("card_brand", ["VISA", "MASTERCARD"]);

export const cardOperationType = pgEnum("card_operation_type", ["issue", "fund", "unload", "freeze", "unfreeze", "terminate"]);

export const cardOperationStatus = pgEnum("card_operation_status", ["processing", "completed", "failed"]);

export const issuerSubject = pgEnum("issuer_subject", ["cardholder", "card"]);

// True of every row. A list that states it may use the index that it names; a lookup by key, which does not, cannot (docs/decisions/0008).
export const OPENS_CARDHOLDERS_NEWEST = "id > 0";

export const cardholders = pgTable(
  "cardholders",
  {
    merchantId: id(),
    /** Random (`newCardholderId`): it tells nothing of how many there are. */
    id: bigint({ mode: "number" }).notNull(),
    /** Our name for it at the issuer. */
    reference: text().notNull(),
    firstName: text().notNull(),
    lastName: text().notNull(),
    email: text().notNull(),
    phone: text(),
    kycStatus: kycStatus().notNull().default("PENDING"),
    kycRejectionReason: text(),
    provider: text().notNull(),
    /** Null until the issuer has said that it knows the cardholder. */
    providerReference: text(),
    checks: integer().notNull().default(0),
    /** When the issuer is asked again; null once it is decided. */
    nextCheckAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "cardholders_pkey", columns: [t.merchantId, t.id] }),
    unique("cardholders_email").on(t.merchantId, t.email),
    // Partial, so that no look-up by id can match it (docs/decisions/0008).
    index("cardholders_newest").on(t.merchantId, t.createdAt, t.id).where(sql`${t.id} > 0`),
    index("cardholders_due").on(t.nextCheckAt).where(sql`${t.nextCheckAt} is not null`),
    check("cardholders_email_lower_case", sql`${t.email} = lower(${t.email})`),
    check("cardholders_rejection_has_reason", sql`(${t.kycStatus} = 'REJECTED') = (${t.kycRejectionReason} is not null)`),
    check("cardholders_asked_while_pending", sql`${t.nextCheckAt} is null or ${t.kycStatus} = 'PENDING' or ${t.providerReference} is null`),
  ],
);

// True of every row. A list that states it may use the index that it names; a lookup by key, which does not, cannot (docs/decisions/0008).
export const OPENS_CARDS_BY_CARDHOLDER = "cardholder_id > 0";

/** The number and CVV are in no column: the issuer alone has them. */
export const cards = pgTable(
  "cards",
  {
    merchantId: id(),
    id: id(),
    cardholderId: bigint({ mode: "number" }).notNull(),
    brand: cardBrand().notNull(),
    nickname: text(),
    status: cardStatus().notNull().default("PENDING"),
    provider: text().notNull(),
    providerReference: text(),
    last4: text(),
    expiryMonth: smallint(),
    expiryYear: smallint(),
    /** When its operations and spend are read from the issuer again. */
    nextSyncAt: moment(),
    createdAt: createdAt(),
    terminatedAt: moment(),
    /** The issuer said something that cannot be: no money moves on the card until an operator has looked into it. */
    blockedAt: moment(),
    blockedReason: text(),
  },
  (t) => [
    primaryKey({ name: "cards_pkey", columns: [t.merchantId, t.id] }),
    // Partial, each by what its list says and no lookup by key does: see decision 0008.
    index("cards_pending").on(t.merchantId, t.id).where(sql`${t.status} = 'PENDING'`),
    index("cards_active").on(t.merchantId, t.id).where(sql`${t.status} = 'ACTIVE'`),
    index("cards_frozen").on(t.merchantId, t.id).where(sql`${t.status} = 'FROZEN'`),
    index("cards_terminated").on(t.merchantId, t.id).where(sql`${t.status} = 'TERMINATED'`),
    index("cards_failed").on(t.merchantId, t.id).where(sql`${t.status} = 'FAILED'`),
    index("cards_by_cardholder").on(t.merchantId, t.cardholderId, t.id).where(sql`${t.cardholderId} > 0`),
    index("cards_due").on(t.nextSyncAt).where(sql`${t.nextSyncAt} is not null`),
    index("cards_blocked").on(t.blockedAt).where(sql`${t.blockedAt} is not null`),
    check("cards_last4_only", sql`${t.last4} ~ '^[0-9]{4}$'`),
    check(
      "cards_issued_are_known",
      sql`${t.status} in ('PENDING', 'FAILED') or (${t.providerReference} is not null and ${t.last4} is not null and ${t.expiryMonth} between 1 and 12 and ${t.expiryYear} is not null)`,
    ),
    check("cards_blocked_has_reason", sql`(${t.blockedAt} is null) = (${t.blockedReason} is null)`),
    check("cards_terminated_at_when_terminated", sql`(${t.status} = 'TERMINATED') = (${t.terminatedAt} is not null)`),
  ],
);

/** A directory: an issuer's notice names a card or cardholder, by our name or by its own, and no merchant. */
export const issuerReferences = pgTable(
  "issuer_references",
  {
    provider: text().notNull(),
    reference: text().notNull(),
    merchantId: id(),
    subject: issuerSubject().notNull(),
    subjectId: text().notNull(),
  },
  (t) => [primaryKey({ name: "issuer_references_pkey", columns: [t.provider, t.reference] })],
);

// True of every row. A list that states it may use the index that it names; a lookup by key, which does not, cannot (docs/decisions/0008).
export const OPENS_CARD_OPERATIONS_BY_CARD = "card_id > ''";

/** Something that the issuer is asked to do, once. Stored before it is asked, and never asked again: what became of it is read. */
export const cardOperations = pgTable(
  "card_operations",
  {
    merchantId: id(),
    id: id(),
    cardId: id(),
    type: cardOperationType().notNull(),
    status: cardOperationStatus().notNull().default("processing"),
    /** Our name for it at the issuer. */
    reference: text().notNull(),
    providerReference: text(),
    /** US cents: put on the card, or taken off it. Of a termination, the balance that the issuer confirmed; below zero where the card was overdrawn. */
    amount: minorUnits(),
    /** US cents. */
    fee: minorUnits(),
    /** Naira for a dollar, times 10,000: what the merchant pays or gets, and the middle that the spread is counted from. */
    exchangeRate: bigint({ mode: "bigint" }),
    midRate: bigint({ mode: "bigint" }),
    /** Kobo: charged to the wallet, or credited to it. */
    walletAmount: minorUnits(),
    failureReason: text(),
    attempts: integer().notNull().default(0),
    /** When the issuer is asked what became of it; null once it is final. */
    nextAttemptAt: moment(),
    /** Written just before the issuer is asked to do it, and only while it is processing. Null: the issuer was not asked. */
    askedAt: moment(),
    /** It had failed, and the issuer said later that it was done. */
    correctedAt: moment(),
    /** It was given up because the issuer did not know of it: when the issuer is asked again, to be sure. */
    lookAgainAt: moment(),
    createdAt: createdAt(),
    completedAt: moment(),
  },
  (t) => [
    primaryKey({ name: "card_operations_pkey", columns: [t.merchantId, t.id] }),
    // Stated by its list alone, for the reason of decision 0008.
    index("card_operations_by_card").on(t.merchantId, t.cardId, t.id).where(sql`${t.cardId} > ''`),
    index("card_operations_processing").on(t.merchantId, t.cardId).where(sql`${t.status} = 'processing'`),
    index("card_operations_to_look_at_again").on(t.lookAgainAt).where(sql`${t.lookAgainAt} is not null`),
    index("card_operations_due").on(t.nextAttemptAt).where(sql`${t.status} = 'processing'`),
    uniqueIndex("card_operations_issued_once").on(t.merchantId, t.cardId).where(sql`${t.type} = 'issue'`),
    uniqueIndex("card_operations_terminated_once")
      .on(t.merchantId, t.cardId)
      .where(sql`${t.type} = 'terminate' and ${t.status} <> 'failed'`),
    uniqueIndex("card_operations_one_change_at_a_time")
      .on(t.merchantId, t.cardId)
      .where(sql`${t.type} in ('freeze', 'unfreeze') and ${t.status} = 'processing'`),
    check("card_operations_amount", sql`${t.amount} > 0 or ${t.type} not in ('fund', 'unload')`),
    check("card_operations_fee_not_negative", sql`${t.fee} >= 0`),
    check("card_operations_money_has_a_rate", sql`${t.walletAmount} = 0 or (${t.exchangeRate} > 0 and ${t.midRate} > 0)`),
    check("card_operations_looked_at_again_when_failed", sql`${t.lookAgainAt} is null or ${t.status} = 'failed'`),
    check("card_operations_corrected_is_completed", sql`${t.correctedAt} is null or ${t.status} = 'completed'`),
    check("card_operations_failed_has_reason", sql`(${t.status} = 'failed') = (${t.failureReason} is not null)`),
    check(
      "card_operations_final_is_over",
      sql`(${t.status} = 'processing') = (${t.completedAt} is null) and (${t.status} = 'processing') = (${t.nextAttemptAt} is not null)`,
    ),
  ],
);
