import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, jsonb, pgEnum, pgSequence, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import { createdAt, id, madeBy, metadata, minorUnits, moment, reachedMoment } from "./columns.ts";

export const vtuService = pgEnum("vtu_service", ["airtime", "data", "cable", "electricity", "exam"]);
export const purchaseStatus = pgEnum("purchase_status", ["processing", "success", "failed", "reversed"]);
export const purchaseExceptionKind = pgEnum("purchase_exception_kind", ["late_success", "reversal", "ignored"]);

export const productNumbers = pgSequence("product_numbers", { startWith: 1_001 });

/** Products of an aggregator. They belong to the platform: all merchants of an aggregator buy from the same list. */
export const products = pgTable(
  "products",
  {
    id: integer().notNull().default(sql`nextval('product_numbers')`),
    provider: text().notNull(),
    service: vtuService().notNull(),
    /** The aggregator's name for the product. */
    code: text().notNull(),
    name: text().notNull(),
    /** The network, the broadcaster, the disco or the examination board, in lower case. */
    brand: text().notNull(),
    /** Airtime: `VTU` or `Sharesell`. Data: `SME`, `Gifting` or `Corporate`. */
    variant: text(),
    size: text(),
    validity: text(),
    /** Kobo; null if the buyer chooses the amount. */
    sellingPrice: bigint({ mode: "bigint" }),
    /** Whether meter numbers of this disco may contain letters. */
    hasLetters: boolean().notNull().default(false),
    /** When the product disappeared from the aggregator's list. */
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
  { productId: integer().notNull(), sellingPrice: minorUnits(), validFrom: reachedMoment().notNull() },
  (t) => [primaryKey({ name: "product_prices_pkey", columns: [t.productId, t.validFrom] })],
);

/** When an aggregator's list was last read, and when it is read next. */
export const catalogues = pgTable(
  "catalogues",
  { provider: text().notNull(), syncedAt: moment(), nextSyncAt: reachedMoment().notNull() },
  (t) => [primaryKey({ name: "catalogues_pkey", columns: [t.provider] })],
);

// Conditions that are true of every purchase. A list that states one may use the partial index with that condition. A lookup by key does
// not state it, so it cannot (docs/decisions/0008).
export const OPENS_PURCHASES_BY_SERVICE = "amount > 0";
/** The conditions of `purchases_by_customer_email` and `purchases_by_customer_phone`. Only a search states them. */
export const HAS_CUSTOMER_EMAIL = "customer ->> 'email' <> ''";
export const HAS_CUSTOMER_PHONE = "customer ->> 'phone' <> ''";

/** An order to an aggregator, sent once. It is stored and its money is held before it is sent. It is never sent again: the worker reads its outcome. */
export const purchases = pgTable(
  "purchases",
  {
    merchantId: id(),
    /** Also the reference by which the merchant and the aggregator know the purchase. */
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
    /** The identity of the goods (`skuOf`), by which duplicates are found; null in purchases of earlier versions. */
    sku: text(),
    /** `{ name?, phone?, email? }` as the merchant gave them. */
    customer: jsonb().$type<{ name?: string; phone?: string; email?: string }>().notNull().default({}),
    metadata: metadata(),
    quantity: integer().notNull(),
    /** Kobo, as quoted at the time of the purchase. */
    unitPrice: minorUnits(),
    amount: minorUnits(),
    /** Kobo that the merchant paid for the delivery. While the purchase is processing, `amount` is held; the rest is released after it. */
    charged: minorUnits().default(sql`0`),
    /** Sealed JSON: `{ tokens, pins }`. */
    secrets: text(),
    units: text(),
    failureReason: text(),
    attempts: integer().notNull().default(0),
    /** Fencing token: each lease to read the outcome increments it, and only a read under the latest lease counts. */
    fencingToken: integer().notNull().default(0),
    /** How often the aggregator contradicted a final outcome and money moved again. */
    corrections: integer().notNull().default(0),
    /** When the latest lease to read the outcome was taken. */
    leasedAt: moment(),
    /** When the worker next reads the outcome from the aggregator. A final outcome is read once more. */
    nextAttemptAt: moment(),
    madeBy: madeBy(),
    createdAt: createdAt(),
    completedAt: moment(),
  },
  (t) => [
    primaryKey({ name: "purchases_pkey", columns: [t.merchantId, t.id] }),
    // Each is partial by a condition that its list states and no lookup by key states (docs/decisions/0008).
    index("purchases_by_recipient").on(t.merchantId, t.recipient, t.createdAt).where(sql`${t.recipient} is not null`),
    index("purchases_by_service").on(t.merchantId, t.service, t.id).where(sql`${t.amount} > 0`),
    index("purchases_processing").on(t.merchantId, t.id).where(sql`${t.status} = 'processing'`),
    index("purchases_failed").on(t.merchantId, t.id).where(sql`${t.status} = 'failed'`),
    index("purchases_reversed").on(t.merchantId, t.id).where(sql`${t.status} = 'reversed'`),
    // Most purchases name no customer, and are in neither (docs/decisions/0026).
    index("purchases_by_customer_email")
      .on(t.merchantId, sql`lower(${t.customer} ->> 'email')`, t.id)
      .where(sql`${t.customer} ->> 'email' <> ''`),
    index("purchases_by_customer_phone")
      .on(t.merchantId, sql`(${t.customer} ->> 'phone')`, t.id)
      .where(sql`${t.customer} ->> 'phone' <> ''`),
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

/** A contradiction of a final outcome by the aggregator. Money moved again, or it was `ignored` because money had moved too often. Operators see each. */
export const purchaseExceptions = pgTable(
  "purchase_exceptions",
  {
    merchantId: id(),
    purchaseId: id(),
    /** The purchase's `corrections` after this one; for an ignored one, the number that it would have had. */
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
