import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, jsonb, pgSchema, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { createdAt, minorUnits, moment, reachedMoment } from "./columns.ts";

/** The built-in bank, card issuers and aggregators of test mode. They are other parties: Oja does not read these tables, and they read none of Oja's. */
export const sandboxSchema = pgSchema("sandbox");

export const sandboxAccountSerial = sandboxSchema.sequence("bank_account_serial", { startWith: 1, maxValue: 999_999_999 });

export const sandboxAccounts = sandboxSchema.table(
  "bank_accounts",
  {
    /** The bank of the account: `sandbox` or `sandbox-plain`. */
    house: text().notNull().default("sandbox"),
    reference: text().notNull(),
    accountNumber: text().notNull(),
    accountName: text().notNull(),
    amount: minorUnits(),
    openedAt: createdAt(),
    closesAt: moment().notNull(),
    /** The session of the one transfer that paid it. */
    paidBySession: text(),
  },
  (t) => [
    primaryKey({ name: "bank_accounts_pkey", columns: [t.house, t.reference] }),
    uniqueIndex("bank_accounts_number").on(t.accountNumber),
    check("bank_accounts_house", sql`${t.house} in ('sandbox', 'sandbox-plain')`),
  ],
);

export const sandboxTransfers = sandboxSchema.table(
  "bank_transfers",
  {
    sessionId: text().notNull(),
    accountNumber: text().notNull(),
    amount: minorUnits(),
    senderName: text().notNull(),
    /** Its ending decides the course of refunds. Null: they are paid. */
    senderAccount: text(),
    madeAt: moment().notNull(),
    /** Why the bank sent the transfer back by itself; null if it kept the money. */
    rejection: text(),
    returnedAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "bank_transfers_pkey", columns: [t.sessionId] }),
    index("bank_transfers_of_account").on(t.accountNumber),
    check("bank_transfers_amount_positive", sql`${t.amount} > 0`),
  ],
);

/** Payouts that the customer ordered: a reference is executed once. */
export const sandboxPayouts = sandboxSchema.table(
  "payouts",
  {
    house: text().notNull(),
    reference: text().notNull(),
    serial: bigint({ mode: "bigint" }).generatedAlwaysAsIdentity(),
    bankCode: text().notNull(),
    accountNumber: text().notNull(),
    amount: minorUnits(),
    /** `queued`, `paid`, `failed` or `reversed`. */
    state: text().notNull(),
    /** The state from `due_at` on. */
    nextState: text(),
    dueAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "payouts_pkey", columns: [t.house, t.reference] }),
    index("payouts_due").on(t.dueAt).where(sql`${t.dueAt} is not null`),
  ],
);

/** Refunds that the customer ordered at `sandbox`: a reference is executed once. */
export const sandboxRefunds = sandboxSchema.table(
  "refunds",
  {
    reference: text().notNull(),
    serial: bigint({ mode: "bigint" }).generatedAlwaysAsIdentity(),
    sessionId: text().notNull(),
    amount: minorUnits(),
    /** `queued`, `paid`, `failed` or `reversed`. */
    state: text().notNull(),
    /** The state from `due_at` on. */
    nextState: text(),
    dueAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "refunds_pkey", columns: [t.reference] }),
    index("refunds_of_a_transfer").on(t.sessionId),
    index("refunds_due").on(t.dueAt).where(sql`${t.dueAt} is not null`),
  ],
);

/** Notices to Oja. Each is sent until it is acknowledged. */
export const sandboxNotices = sandboxSchema.table(
  "notices",
  {
    id: bigint({ mode: "bigint" }).generatedAlwaysAsIdentity(),
    noticeId: text().notNull(),
    /** The path of Oja that gets the notice. */
    path: text().notNull().default("/api/providers/sandbox/notices"),
    isSigned: boolean().notNull().default(true),
    body: jsonb().notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: reachedMoment().notNull(),
    acknowledgedAt: moment(),
  },
  (t) => [
    primaryKey({ name: "notices_pkey", columns: [t.id] }),
    index("notices_due").on(t.nextAttemptAt).where(sql`${t.acknowledgedAt} is null`),
  ],
);

/** Faults that a test asked for. Each is used once. */
export const sandboxFaults = sandboxSchema.table(
  "bank_faults",
  { id: bigint({ mode: "bigint" }).generatedAlwaysAsIdentity(), reference: text().notNull(), fault: text().notNull() },
  (t) => [primaryKey({ name: "bank_faults_pkey", columns: [t.id] })],
);

/** Cardholders of the two issuers. `house` names the issuer: `sandbox`, or `sandbox-async`, which does everything later. */
export const sandboxCardholders = sandboxSchema.table(
  "cardholders",
  {
    house: text().notNull(),
    id: text().notNull(),
    /** The customer's name for the cardholder. */
    reference: text().notNull(),
    name: text().notNull(),
    email: text().notNull(),
    /** `review`, `approved` or `rejected`. */
    state: text().notNull().default("review"),
    decidesAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "cardholders_pkey", columns: [t.house, t.id] }),
    index("cardholders_by_reference").on(t.house, t.reference),
    index("cardholders_to_decide").on(t.decidesAt).where(sql`${t.state} = 'review'`),
  ],
);

/** A card's number and CVV are derived from `serial` on request and stored nowhere. */
export const sandboxCards = sandboxSchema.table(
  "cards",
  {
    house: text().notNull(),
    id: text().notNull(),
    reference: text().notNull(),
    serial: bigint({ mode: "bigint" }).generatedAlwaysAsIdentity(),
    cardholderId: text().notNull(),
    brand: text().notNull(),
    /** `queued`, `active`, `frozen` or `closed`. */
    state: text().notNull(),
    /** US cents, not reduced by open authorizations. Below zero if a shop took more than the card had. */
    balance: minorUnits().default(sql`0`),
    expiryMonth: integer().notNull(),
    expiryYear: integer().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "cards_pkey", columns: [t.house, t.id] }), index("cards_by_reference").on(t.house, t.reference)],
);

/** Operations that the customer asked for. `sandbox` executes a reference once; `sandbox-async` executes it again for each request. */
export const sandboxCardOperations = sandboxSchema.table(
  "card_operations",
  {
    house: text().notNull(),
    id: text().notNull(),
    reference: text().notNull(),
    cardId: text().notNull(),
    kind: text().notNull(),
    /** US cents; for a closing, the balance that was left. */
    amount: minorUnits(),
    /** `queued`, `done` or `refused`. */
    state: text().notNull(),
    refusal: text(),
    dueAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "card_operations_pkey", columns: [t.house, t.id] }),
    uniqueIndex("card_operations_once").on(t.reference).where(sql`${t.house} = 'sandbox'`),
    index("card_operations_by_reference").on(t.house, t.reference),
    index("card_operations_queued").on(t.dueAt).where(sql`${t.state} = 'queued'`),
  ],
);

export const sandboxCardTransactions = sandboxSchema.table(
  "card_transactions",
  {
    house: text().notNull(),
    id: text().notNull(),
    serial: bigint({ mode: "bigint" }).generatedAlwaysAsIdentity(),
    cardId: text().notNull(),
    kind: text().notNull(),
    amount: minorUnits(),
    /** For an authorization: US cents that are neither cleared nor reversed. */
    open: minorUnits().default(sql`0`),
    relatedId: text(),
    merchantName: text().notNull(),
    categoryCode: text().notNull(),
    city: text().notNull(),
    country: text().notNull(),
    declineReason: text(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "card_transactions_pkey", columns: [t.house, t.id] }),
    index("card_transactions_by_card").on(t.house, t.cardId, t.serial),
  ],
);

/** Faults of an issuer or aggregator that a test asked for. Each is used once. */
export const sandboxProviderFaults = sandboxSchema.table(
  "provider_faults",
  {
    id: bigint({ mode: "bigint" }).generatedAlwaysAsIdentity(),
    house: text().notNull(),
    operation: text().notNull(),
    /** A card (by the issuer's id) or a recipient; `*` for any. */
    subject: text().notNull(),
    fault: text().notNull(),
  },
  (t) => [primaryKey({ name: "provider_faults_pkey", columns: [t.id] })],
);

/** Changes to the built-in price list of an aggregator: another price, or a withdrawn product. */
export const sandboxVtuChanges = sandboxSchema.table(
  "vtu_changes",
  { house: text().notNull(), code: text().notNull(), price: bigint({ mode: "bigint" }), isWithdrawn: boolean().notNull().default(false) },
  (t) => [primaryKey({ name: "vtu_changes_pkey", columns: [t.house, t.code] })],
);

/** Orders at the two aggregators. Tokens and pins are derived from `serial` and stored nowhere. */
export const sandboxVtuOrders = sandboxSchema.table(
  "vtu_orders",
  {
    house: text().notNull(),
    reference: text().notNull(),
    serial: bigint({ mode: "bigint" }).generatedAlwaysAsIdentity(),
    service: text().notNull(),
    code: text().notNull(),
    recipient: text(),
    variant: text(),
    quantity: integer().notNull(),
    amount: minorUnits(),
    /** For exam pins: the number of delivered pins. */
    delivered: integer().notNull(),
    /** `queued`, `delivered`, `failed` or `reversed`. */
    state: text().notNull(),
    /** The state from `due_at` on. */
    nextState: text(),
    dueAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "vtu_orders_pkey", columns: [t.house, t.reference] }),
    index("vtu_orders_due").on(t.dueAt).where(sql`${t.dueAt} is not null`),
  ],
);
