import { sql } from "drizzle-orm";
import { bigint, check, index, integer, jsonb, pgSchema, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, minorUnits, moment } from "./columns.ts";

/** The built-in bank of test mode. It is another party: nothing of Oja reads these tables, and it reads none of Oja's. */
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
