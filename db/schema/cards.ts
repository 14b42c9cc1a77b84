import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgEnum, pgTable, primaryKey, smallint, text, unique, uniqueIndex } from "drizzle-orm/pg-core";
import { createdAt, id, madeBy, metadata, minorUnits, moment } from "./columns.ts";

export const kycStatus = pgEnum("kyc_status", ["PENDING", "APPROVED", "REJECTED"]);

export const cardStatus = pgEnum("card_status", ["PENDING", "ACTIVE", "FROZEN", "TERMINATED", "FAILED"]);

export const cardBrand = pgEnum("card_brand", ["VISA", "MASTERCARD"]);

export const cardOperationType = pgEnum("card_operation_type", ["issue", "fund", "unload", "freeze", "unfreeze", "terminate"]);

export const cardOperationStatus = pgEnum("card_operation_status", ["processing", "completed", "failed"]);

export const issuerSubject = pgEnum("issuer_subject", ["cardholder", "card"]);

// True of every row. A list that states it may use this partial index; a lookup by key does not state it, so it cannot (docs/decisions/0008).
export const OPENS_CARDHOLDERS_NEWEST = "id > 0";

export const cardholders = pgTable(
  "cardholders",
  {
    merchantId: id(),
    /** Random (`newCardholderId`), so that it does not tell how many cardholders there are. */
    id: bigint({ mode: "number" }).notNull(),
    /** Our name for the cardholder at the issuer. */
    reference: text().notNull(),
    firstName: text().notNull(),
    lastName: text().notNull(),
    email: text().notNull(),
    phone: text(),
    kycStatus: kycStatus().notNull().default("PENDING"),
    kycRejectionReason: text(),
    metadata: metadata(),
    provider: text().notNull(),
    /** Null until the issuer has confirmed the cardholder. */
    providerReference: text(),
    checks: integer().notNull().default(0),
    /** When the worker next asks the issuer; null once the issuer has decided. */
    nextCheckAt: moment(),
    madeBy: madeBy(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "cardholders_pkey", columns: [t.merchantId, t.id] }),
    unique("cardholders_email").on(t.merchantId, t.email),
    // Partial, so that no lookup by id can use it (docs/decisions/0008).
    index("cardholders_newest").on(t.merchantId, t.createdAt, t.id).where(sql`${t.id} > 0`),
    index("cardholders_pending").on(t.merchantId, t.createdAt, t.id).where(sql`${t.kycStatus} = 'PENDING'`),
    index("cardholders_rejected").on(t.merchantId, t.createdAt, t.id).where(sql`${t.kycStatus} = 'REJECTED'`),
    index("cardholders_by_phone").on(t.merchantId, t.phone, t.createdAt).where(sql`${t.phone} is not null`),
    index("cardholders_due").on(t.nextCheckAt).where(sql`${t.nextCheckAt} is not null`),
    check("cardholders_email_lower_case", sql`${t.email} = lower(${t.email})`),
    check("cardholders_rejection_has_reason", sql`(${t.kycStatus} = 'REJECTED') = (${t.kycRejectionReason} is not null)`),
    check("cardholders_asked_while_pending", sql`${t.nextCheckAt} is null or ${t.kycStatus} = 'PENDING' or ${t.providerReference} is null`),
  ],
);

// True of every row. A list that states it may use this partial index; a lookup by key does not state it, so it cannot (docs/decisions/0008).
export const OPENS_CARDS_BY_CARDHOLDER = "cardholder_id > 0";

/** No column has a card's number or CVV: the issuer alone has them. */
export const cards = pgTable(
  "cards",
  {
    merchantId: id(),
    id: id(),
    cardholderId: bigint({ mode: "number" }).notNull(),
    brand: cardBrand().notNull(),
    nickname: text(),
    metadata: metadata(),
    status: cardStatus().notNull().default("PENDING"),
    provider: text().notNull(),
    providerReference: text(),
    last4: text(),
    expiryMonth: smallint(),
    expiryYear: smallint(),
    /** When the worker next reads the card's state and spend from the issuer. */
    nextSyncAt: moment(),
    /** US cents that the wallet has paid for spend after the card's end. A funding executed after all may give them back. */
    paidForSpend: minorUnits().default(sql`0`),
    /** US cents of later refunds that the wallet got after the card's end, and that explain no difference. A late unload may have taken them. */
    gotOfSpend: minorUnits().default(sql`0`),
    /** When the whole list of the card's spend was last read. Other reads stop early. */
    spendReadAt: moment(),
    madeBy: madeBy(),
    createdAt: createdAt(),
    terminatedAt: moment(),
    /** Set when the issuer contradicted itself. No money moves on the card until an operator resolves the block. */
    blockedAt: moment(),
    blockedReason: text(),
  },
  (t) => [
    primaryKey({ name: "cards_pkey", columns: [t.merchantId, t.id] }),
    // Each is partial by a condition that its list states and no lookup by key states (docs/decisions/0008).
    index("cards_pending").on(t.merchantId, t.id).where(sql`${t.status} = 'PENDING'`),
    index("cards_active").on(t.merchantId, t.id).where(sql`${t.status} = 'ACTIVE'`),
    index("cards_frozen").on(t.merchantId, t.id).where(sql`${t.status} = 'FROZEN'`),
    index("cards_terminated").on(t.merchantId, t.id).where(sql`${t.status} = 'TERMINATED'`),
    index("cards_failed").on(t.merchantId, t.id).where(sql`${t.status} = 'FAILED'`),
    index("cards_by_cardholder").on(t.merchantId, t.cardholderId, t.id).where(sql`${t.cardholderId} > 0`),
    index("cards_by_last4").on(t.merchantId, t.last4, t.id).where(sql`${t.last4} is not null`),
    index("cards_due").on(t.nextSyncAt).where(sql`${t.nextSyncAt} is not null`),
    index("cards_blocked").on(t.blockedAt).where(sql`${t.blockedAt} is not null`),
    check("cards_last4_only", sql`${t.last4} ~ '^[0-9]{4}$'`),
    check(
      "cards_issued_are_known",
      sql`${t.status} in ('PENDING', 'FAILED') or (${t.providerReference} is not null and ${t.last4} is not null and ${t.expiryMonth} between 1 and 12 and ${t.expiryYear} is not null)`,
    ),
    check("cards_spend_is_not_below_zero", sql`${t.paidForSpend} >= 0 and ${t.gotOfSpend} >= 0`),
    check("cards_blocked_has_reason", sql`(${t.blockedAt} is null) = (${t.blockedReason} is null)`),
    check("cards_terminated_at_when_terminated", sql`(${t.status} = 'TERMINATED') = (${t.terminatedAt} is not null)`),
  ],
);

/** A directory, because an issuer's notice names no merchant. It names a card or cardholder by our reference or the issuer's. */
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

// True of every row. A list that states it may use this partial index; a lookup by key does not state it, so it cannot (docs/decisions/0008).
export const OPENS_CARD_OPERATIONS_BY_CARD = "card_id > ''";

/** The condition of `card_operations_of_money`. */
export const MOVES_MONEY = "type not in ('freeze', 'unfreeze')";

/** A request to the issuer, made once. It is stored before the request, which is never repeated: the worker reads its outcome. */
export const cardOperations = pgTable(
  "card_operations",
  {
    merchantId: id(),
    id: id(),
    cardId: id(),
    type: cardOperationType().notNull(),
    status: cardOperationStatus().notNull().default("processing"),
    /** Our name for the operation at the issuer. */
    reference: text().notNull(),
    providerReference: text(),
    /** US cents put on the card or taken off it. For a termination, the balance that the issuer confirmed: below zero if the card was overdrawn. */
    amount: minorUnits(),
    /** US cents. */
    fee: minorUnits(),
    /** Naira for a dollar, times 10,000: the rate that the merchant pays or gets, and the middle rate that gives the spread. */
    exchangeRate: bigint({ mode: "bigint" }),
    midRate: bigint({ mode: "bigint" }),
    /** Kobo charged to the wallet, or credited to it. */
    walletAmount: minorUnits(),
    failureReason: text(),
    attempts: integer().notNull().default(0),
    /** When the worker next reads its outcome from the issuer; null once it is final. */
    nextAttemptAt: moment(),
    /** Set just before the request to the issuer, only while the operation is processing. Null: the issuer was not asked. */
    askedAt: moment(),
    /** Set when the issuer later reported a failed operation as done. */
    correctedAt: moment(),
    /** For an operation that failed because the issuer did not know it: when the worker re-checks it. */
    recheckAt: moment(),
    madeBy: madeBy(),
    createdAt: createdAt(),
    completedAt: moment(),
  },
  (t) => [
    primaryKey({ name: "card_operations_pkey", columns: [t.merchantId, t.id] }),
    // Only the list states the condition (docs/decisions/0008).
    index("card_operations_by_card").on(t.merchantId, t.cardId, t.id).where(sql`${t.cardId} > ''`),
    // Only the list across areas states the condition.
    index("card_operations_of_money").on(t.merchantId, t.id).where(sql`${t.type} not in ('freeze', 'unfreeze')`),
    index("card_operations_failed").on(t.merchantId, t.id).where(sql`${t.status} = 'failed'`),
    index("card_operations_processing").on(t.merchantId, t.cardId).where(sql`${t.status} = 'processing'`),
    index("card_operations_to_recheck").on(t.recheckAt).where(sql`${t.recheckAt} is not null`),
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
    check("card_operations_rechecked_when_failed", sql`${t.recheckAt} is null or ${t.status} = 'failed'`),
    check("card_operations_corrected_is_completed", sql`${t.correctedAt} is null or ${t.status} = 'completed'`),
    check("card_operations_failed_has_reason", sql`(${t.status} = 'failed') = (${t.failureReason} is not null)`),
    check(
      "card_operations_final_is_over",
      sql`(${t.status} = 'processing') = (${t.completedAt} is null) and (${t.status} = 'processing') = (${t.nextAttemptAt} is not null)`,
    ),
  ],
);
