import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, jsonb, pgSchema, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { createdAt, minorUnits, moment } from "./columns.ts";

/** The built-in bank, card issuers and aggregators of test mode. They are other parties: nothing of Oja reads these tables, and they read none of Oja's. */
export const sandboxSchema = pgSchema("sandbox");

export const sandboxAccountSerial = sandboxSchema.sequence("bank_account_serial", { startWith: 1, maxValue: 999_999_999 });

export const sandboxAccounts = sandboxSchema.table(
  "bank_accounts",
  {
    reference: text().notNull(),
    accountNumber: text().notNull(),
    accountName: text().notNull(),
    amount: minorUnits(),
    openedAt: createdAt(),
    closesAt: moment().notNull(),
    /** The session that paid it, once. */
    paidBySession: text(),
  },
  (t) => [primaryKey({ name: "bank_accounts_pkey", columns: [t.reference] })],
);

export const sandboxTransfers = sandboxSchema.table(
  "bank_transfers",
  {
    sessionId: text().notNull(),
    accountNumber: text().notNull(),
    amount: minorUnits(),
    senderName: text().notNull(),
    madeAt: moment().notNull(),
    /** Why the bank sent it back by itself, or null where it kept it. */
    rejection: text(),
    returnedAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "bank_transfers_pkey", columns: [t.sessionId] }),
    check("bank_transfers_amount_positive", sql`${t.amount} > 0`),
  ],
);

/** Notices on their way to Oja, each sent until it is acknowledged. */
export const sandboxNotices = sandboxSchema.table(
  "notices",
  {
    id: bigint({ mode: "bigint" }).generatedAlwaysAsIdentity(),
    noticeId: text().notNull(),
    /** Where at Oja it goes. */
    path: text().notNull().default("/api/providers/sandbox/notices"),
    isSigned: boolean().notNull().default(true),
    body: jsonb().notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: moment().notNull().defaultNow(),
    acknowledgedAt: moment(),
  },
  (t) => [
    primaryKey({ name: "notices_pkey", columns: [t.id] }),
    index("notices_due").on(t.nextAttemptAt).where(sql`${t.acknowledgedAt} is null`),
  ],
);

/** Faults that someone asked for, each used up once. */
export const sandboxFaults = sandboxSchema.table(
  "bank_faults",
  { id: bigint({ mode: "bigint" }).generatedAlwaysAsIdentity(), reference: text().notNull(), fault: text().notNull() },
  (t) => [primaryKey({ name: "bank_faults_pkey", columns: [t.id] })],
);

/** What the two issuers keep. `house` says which of them: `sandbox`, or `sandbox-async`, which does everything later. */
export const sandboxCardholders = sandboxSchema.table(
  "cardholders",
  {
    house: text().notNull(),
    id: text().notNull(),
    /** The customer's name for it. */
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

/** A card's number and CVV are derived from `serial` when somebody asks for them, and stored nowhere. */
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
    /** US cents, before what is authorized and not cleared. Below zero where a merchant took more than was there. */
    balance: minorUnits().default(sql`0`),
    expiryMonth: integer().notNull(),
    expiryYear: integer().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "cards_pkey", columns: [t.house, t.id] }), index("cards_by_reference").on(t.house, t.reference)],
);

/** What the customer asked for. `sandbox` takes a reference once; `sandbox-async` does again whatever it is asked again. */
export const sandboxCardOperations = sandboxSchema.table(
  "card_operations",
  {
    house: text().notNull(),
    id: text().notNull(),
    reference: text().notNull(),
    cardId: text().notNull(),
    kind: text().notNull(),
    /** US cents; of a closing, what was left. */
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
    /** Of an authorization: what is neither cleared nor reversed. */
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

/** Faults at a house that someone asked for, each used up once. */
export const sandboxProviderFaults = sandboxSchema.table(
  "provider_faults",
  {
    id: bigint({ mode: "bigint" }).generatedAlwaysAsIdentity(),
    house: text().notNull(),
    operation: text().notNull(),
    /** Of one card (the issuer's name for it) or one recipient, or of any: `*`. */
    subject: text().notNull(),
    fault: text().notNull(),
  },
  (t) => [primaryKey({ name: "provider_faults_pkey", columns: [t.id] })],
);

/** What a sandbox's aggregator changed in its list since it was printed: another price, or withdrawn. */
export const sandboxVtuChanges = sandboxSchema.table(
  "vtu_changes",
  { house: text().notNull(), code: text().notNull(), price: bigint({ mode: "bigint" }), isWithdrawn: boolean().notNull().default(false) },
  (t) => [primaryKey({ name: "vtu_changes_pkey", columns: [t.house, t.code] })],
);

/** What the two aggregators were asked to deliver. Tokens and pins are derived from `serial`, and stored nowhere. */
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
    /** Of exam pins: how many there are. */
    delivered: integer().notNull(),
    /** `queued`, `delivered`, `failed` or `reversed`. */
    state: text().notNull(),
    /** What it becomes at `due_at`. */
    nextState: text(),
    dueAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "vtu_orders_pkey", columns: [t.house, t.reference] }),
    index("vtu_orders_due").on(t.dueAt).where(sql`${t.dueAt} is not null`),
  ],
);
