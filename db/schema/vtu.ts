import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, jsonb, pgEnum, pgSequence, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import { createdAt, id, minorUnits, moment } from "./columns.ts";

export const vtuService = pgEnum("vtu_service", ["airtime", "data", "cable", "electricity", "exam"]);
export const purchaseStatus = pgEnum("purchase_status", ["processing", "success", "failed", "reversed"]);
export const purchaseExceptionKind = pgEnum("purchase_exception_kind", ["late_success", "reversal", "ignored"]);

export const productNumbers = pgSequence("product_numbers", { startWith: 1_001 });

/** What an aggregator sells. The platform's, not a merchant's: everybody at that aggregator buys from the same list. */
export const products = pgTable(
  "products",
  {
    id: integer().notNull().default(sql`nextval('product_numbers')`),
    provider: text().notNull(),
    service: vtuService().notNull(),
    /** The aggregator's name for it. */
    code: text().notNull(),
    name: text().notNull(),
    /** The network, the broadcaster, the disco or the examination board, in lower case. */
    brand: text().notNull(),
    /** Airtime: `VTU` or `Sharesell`. Data: `SME`, `Gifting` or `Corporate`. */
    variant: text(),
    size: text(),
    validity: text(),
    /** Kobo; null where the buyer chooses the amount. */
    sellingPrice: bigint({ mode: "bigint" }),
    /** Some discos have meters with letters in their numbers. */
    hasLetters: boolean().notNull().default(false),
    /** It is not on the aggregator's list any more. */
    withdrawnAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "products_pkey", columns: [t.id] }),
    unique("products_code").on(t.provider, t.service, t.code),
    check("products_price_positive", sql`${t.sellingPrice} > 0`),
    check("products_price_unless_chosen", sql`(${t.sellingPrice} is null) = (${t.service} in ('airtime', 'electricity'))`),
  ],
);

/** Every price that a product has had. Append-only. */
export const productPrices = pgTable(
  "product_prices",
  { productId: integer().notNull(), sellingPrice: minorUnits(), validFrom: moment().notNull().defaultNow() },
  (t) => [primaryKey({ name: "product_prices_pkey", columns: [t.productId, t.validFrom] })],
);

/** When an aggregator's list was last read, and when it is read again. */
export const catalogues = pgTable(
  "catalogues",
  { provider: text().notNull(), syncedAt: moment(), nextSyncAt: moment().notNull().defaultNow() },
  (t) => [primaryKey({ name: "catalogues_pkey", columns: [t.provider] })],
);

// Fragments that are true of every purchase. A list that states one may use the index that it names, and a lookup by key, which does not
// state it, cannot (docs/decisions/0008).
export const OPENS_PURCHASES_BY_SERVICE = "amount > 0";
/** Compares the merchant so that only `purchases_by_recipient` can serve the list (docs/decisions/0013). */
export const MERCHANT_AFTER_RECIPIENT = "merchant_id || ''";

/** Something that an aggregator is asked to deliver, once. Stored, and its money held, before it is asked; never asked for again: what became of it is read. */
export const purchases = pgTable(
  "purchases",
  {
    merchantId: id(),
    /** Also our reference: the merchant's and the aggregator's name for it. */
    id: id(),
    service: vtuService().notNull(),
    status: purchaseStatus().notNull().default("processing"),
    provider: text().notNull(),
    productId: integer().notNull(),
    productCode: text().notNull(),
    productName: text().notNull(),
    /** E.164, a meter's or a smart card's number; null for exam pins. */
    recipient: text(),
    /** Electricity: `Prepaid` or `Postpaid`. Airtime: `VTU` or `Sharesell`. */
    variant: text(),
    /** `{ name?, phone?, email? }` as the merchant gave them. */
    customer: jsonb().$type<{ name?: string; phone?: string; email?: string }>().notNull().default({}),
    quantity: integer().notNull(),
    /** Kobo, as quoted when it was bought. */
    unitPrice: minorUnits(),
    amount: minorUnits(),
    /** Kobo that the merchant has paid for what was delivered. The rest of `amount` is held while it runs, and its own again after that. */
    charged: minorUnits().default(sql`0`),
    /** Sealed JSON: `{ tokens, pins }`. */
    secrets: text(),
    units: text(),
    failureReason: text(),
    attempts: integer().notNull().default(0),
    /** Counts who asked the aggregator what became of it: only the latest to ask is believed. */
    turn: integer().notNull().default(0),
    /** How often the aggregator has taken back what was final. */
    corrections: integer().notNull().default(0),
    /** When that was the last time. */
    lastTurnAt: moment(),
    /** When the aggregator is asked what became of it. Final ones are looked at once more. */
    nextAttemptAt: moment(),
    createdAt: createdAt(),
    completedAt: moment(),
  },
  (t) => [
    primaryKey({ name: "purchases_pkey", columns: [t.merchantId, t.id] }),
    // Partial, each by what its list says and no lookup by key does: see decision 0008.
    // Not led by the merchant: a lookup that names it in a way no index serves has no other plan than this one (decision 0013).
    index("purchases_by_recipient").on(t.recipient, t.createdAt).where(sql`${t.recipient} is not null`),
    index("purchases_by_service").on(t.merchantId, t.service, t.id).where(sql`${t.amount} > 0`),
    index("purchases_processing").on(t.merchantId, t.id).where(sql`${t.status} = 'processing'`),
    index("purchases_failed").on(t.merchantId, t.id).where(sql`${t.status} = 'failed'`),
    index("purchases_reversed").on(t.merchantId, t.id).where(sql`${t.status} = 'reversed'`),
    index("purchases_due").on(t.provider, t.nextAttemptAt).where(sql`${t.nextAttemptAt} is not null`),
    check("purchases_amount_is_price", sql`${t.unitPrice} > 0 and ${t.quantity} > 0 and ${t.amount} = ${t.unitPrice} * ${t.quantity}`),
    check("purchases_charged_for_success", sql`${t.charged} between 0 and ${t.amount} and (${t.status} = 'success') = (${t.charged} > 0)`),
    check("purchases_failed_has_reason", sql`${t.status} not in ('failed', 'reversed') or ${t.failureReason} is not null`),
    check("purchases_recipient_unless_pins", sql`(${t.recipient} is null) = (${t.service} = 'exam')`),
    check(
      "purchases_final_is_over",
      sql`(${t.status} = 'processing') = (${t.completedAt} is null) and (${t.status} <> 'processing' or ${t.nextAttemptAt} is not null)`,
    ),
  ],
);

/** A directory: an aggregator's notice names a purchase, and no merchant. */
export const aggregatorReferences = pgTable(
  "aggregator_references",
  { provider: text().notNull(), purchaseId: text().notNull(), merchantId: id() },
  (t) => [primaryKey({ name: "aggregator_references_pkey", columns: [t.provider, t.purchaseId] })],
);

/** The aggregator said otherwise after it was final: money moved again, or was `ignored` because it had moved too often. Operators look at each. */
export const purchaseExceptions = pgTable(
  "purchase_exceptions",
  {
    merchantId: id(),
    purchaseId: id(),
    /** The purchase's `corrections` after it; of one that was ignored, what they would have been. */
    correction: integer().notNull(),
    kind: purchaseExceptionKind().notNull(),
    /** Kobo charged again (late success) or given back (reversal). */
    amount: minorUnits(),
    reason: text().notNull(),
    createdAt: createdAt(),
    seenAt: moment(),
  },
  (t) => [
    primaryKey({ name: "purchase_exceptions_pkey", columns: [t.merchantId, t.purchaseId, t.correction] }),
    index("purchase_exceptions_unseen").on(t.createdAt).where(sql`${t.seenAt} is null`),
    check("purchase_exceptions_amount_positive", sql`${t.amount} > 0`),
  ],
);
