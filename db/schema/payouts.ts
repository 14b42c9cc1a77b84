import { sql } from "drizzle-orm";
import { bigint, boolean, check, date, index, integer, pgEnum, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { createdAt, id, madeBy, metadata, minorUnits, moment, reachedMoment } from "./columns.ts";

export const payoutStatus = pgEnum("payout_status", ["processing", "paid", "failed", "reversed"]);
export const payoutDecision = pgEnum("payout_decision", ["approved", "declined", "withdrawn"]);
export const payoutInterval = pgEnum("payout_interval", ["day", "week"]);

/** The merchant's own accounts at banks, to which its money is paid out. */
export const bankAccounts = pgTable(
  "bank_accounts",
  {
    merchantId: id(),
    id: id(),
    /** The bank that named the owner and pays out. It gives banks their codes. */
    provider: text().notNull(),
    bankCode: text().notNull(),
    bankName: text().notNull(),
    accountNumber: text().notNull(),
    /** The owner, as the account's bank has it. */
    accountName: text().notNull(),
    /** From then on money may be paid to it, if no decision is due. */
    usableAt: moment().notNull(),
    /** The owner's name is not the business's, so an operator decides. */
    awaitsDecision: boolean().notNull(),
    removedAt: moment(),
    /** The actor who removed it, as `made_by`. */
    removedBy: text(),
    madeBy: madeBy(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "bank_accounts_pkey", columns: [t.merchantId, t.id] }),
    uniqueIndex("bank_accounts_once").on(t.merchantId, t.provider, t.bankCode, t.accountNumber).where(sql`${t.removedAt} is null`),
    index("bank_accounts_to_decide").on(t.createdAt).where(sql`${t.awaitsDecision} and ${t.removedAt} is null`),
    check("bank_accounts_number", sql`${t.accountNumber} ~ '^[0-9]{10}$'`),
    check("bank_accounts_removed_by", sql`(${t.removedAt} is null) = (${t.removedBy} is null)`),
  ],
);

// True of every row. A list that states it may use this partial index; a lookup by key does not state it, so it cannot (docs/decisions/0008).
export const OPENS_PAYOUTS_BY_ACCOUNT = "amount > 0";

/** Money sent to an account of the merchant, once. It is stored and its money is held before the bank is asked, and it is never sent again. */
export const payouts = pgTable(
  "payouts",
  {
    merchantId: id(),
    /** In lower case also the reference by which merchant and bank know it. */
    id: id(),
    status: payoutStatus().notNull().default("processing"),
    provider: text().notNull(),
    bankAccountId: id(),
    bankCode: text().notNull(),
    bankName: text().notNull(),
    accountNumber: text().notNull(),
    accountName: text().notNull(),
    /** Kobo that arrive. */
    amount: minorUnits(),
    /** Kobo that the merchant pays for it beside the amount. */
    fee: minorUnits(),
    narration: text(),
    metadata: metadata(),
    /** The id by which both banks know the transfer, where the bank tells it. */
    sessionId: text(),
    failureReason: text(),
    /** Whether the bank paid after the payout had failed here, so that the wallet paid a second time, without a hold. */
    isLate: boolean().notNull().default(false),
    /** How often an operator charged it again, because it had not come back after all. */
    corrections: integer().notNull().default(0),
    attempts: integer().notNull().default(0),
    /** Fencing token: each lease to read the outcome increments it, and only a read under the latest lease counts. */
    fencingToken: integer().notNull().default(0),
    /** When the latest lease to read the outcome was taken. */
    leasedAt: moment(),
    /** When the worker next reads the outcome from the bank. A final outcome is read once more. */
    nextAttemptAt: moment(),
    /** For an automatic payout: the day in Lagos that it is for. */
    automaticFor: date({ mode: "string" }),
    /** For a payout that two people decided: the request, and the member who approved it. */
    requestId: text(),
    approvedBy: text(),
    madeBy: madeBy(),
    createdAt: createdAt(),
    paidAt: moment(),
    /** When it failed or came back. */
    endedAt: moment(),
  },
  (t) => [
    primaryKey({ name: "payouts_pkey", columns: [t.merchantId, t.id] }),
    // Each is partial by a condition that its list states and no lookup by key states (docs/decisions/0008).
    index("payouts_by_account").on(t.merchantId, t.bankAccountId, t.id).where(sql`${t.amount} > 0`),
    index("payouts_by_creation").on(t.merchantId, t.createdAt),
    index("payouts_processing").on(t.merchantId, t.id).where(sql`${t.status} = 'processing'`),
    index("payouts_failed").on(t.merchantId, t.id).where(sql`${t.status} = 'failed'`),
    index("payouts_reversed").on(t.merchantId, t.id).where(sql`${t.status} = 'reversed'`),
    index("payouts_by_session").on(t.merchantId, t.sessionId).where(sql`${t.sessionId} is not null`),
    index("payouts_due").on(t.provider, t.nextAttemptAt).where(sql`${t.nextAttemptAt} is not null`),
    uniqueIndex("payouts_automatic_once").on(t.merchantId, t.automaticFor).where(sql`${t.automaticFor} is not null`),
    uniqueIndex("payouts_once_for_a_request").on(t.merchantId, t.requestId).where(sql`${t.requestId} is not null`),
    check("payouts_amount", sql`${t.amount} > 0 and ${t.fee} >= 0`),
    check("payouts_failed_has_reason", sql`(${t.status} in ('failed', 'reversed')) = (${t.failureReason} is not null)`),
    check(
      "payouts_times",
      sql`(${t.paidAt} is not null) = (${t.status} in ('paid', 'reversed')) and (${t.endedAt} is not null) = (${t.status} in ('failed', 'reversed'))`,
    ),
    check("payouts_processing_is_read", sql`${t.status} <> 'processing' or ${t.nextAttemptAt} is not null`),
    check(
      "payouts_decided_by_two",
      sql`(${t.requestId} is null) = (${t.approvedBy} is null) and ${t.approvedBy} is distinct from ${t.madeBy}`,
    ),
  ],
);

/** A payout above the sum for which the business wants two people. No money is held for it. */
export const payoutRequests = pgTable(
  "payout_requests",
  {
    merchantId: id(),
    id: id(),
    bankAccountId: id(),
    /** Kobo that shall arrive. */
    amount: minorUnits(),
    narration: text(),
    madeBy: madeBy(),
    createdAt: createdAt(),
    expiresAt: moment().notNull(),
    decision: payoutDecision(),
    decidedBy: text(),
    decidedAt: moment(),
  },
  (t) => [
    primaryKey({ name: "payout_requests_pkey", columns: [t.merchantId, t.id] }),
    index("payout_requests_open").on(t.merchantId, t.id).where(sql`${t.decision} is null`),
    check("payout_requests_amount", sql`${t.amount} > 0`),
    check("payout_requests_decided", sql`num_nonnulls(${t.decision}, ${t.decidedBy}, ${t.decidedAt}) in (0, 3)`),
    check("payout_requests_two_people", sql`${t.decision} <> 'approved' or ${t.decidedBy} <> ${t.madeBy}`),
  ],
);

/** Fees in kobo from a time on: `flat` plus `bps` of the amount, at least `minimum`, at most `maximum`. The platform merchant's rows are the defaults. */
export const payoutFees = pgTable(
  "payout_fees",
  {
    merchantId: id(),
    validFrom: reachedMoment().notNull(),
    flat: minorUnits(),
    bps: integer().notNull(),
    minimum: minorUnits(),
    maximum: bigint({ mode: "bigint" }),
  },
  (t) => [
    primaryKey({ name: "payout_fees_pkey", columns: [t.merchantId, t.validFrom] }),
    check("payout_fees_not_negative", sql`${t.flat} >= 0 and ${t.bps} between 0 and 10000 and ${t.minimum} >= 0`),
    check("payout_fees_maximum_above_minimum", sql`${t.maximum} >= ${t.minimum}`),
  ],
);

/** The operator's limits, in kobo. The platform merchant's row has the defaults of its mode. */
export const payoutLimits = pgTable(
  "payout_limits",
  {
    merchantId: id(),
    /** Of one payout. */
    maxAmount: minorUnits(),
    /** Of all payouts of a day in Lagos. */
    maxADay: minorUnits(),
    /** For how long money of payment links cannot be paid out, because banks recall. */
    delayMs: bigint({ mode: "number" }).notNull(),
  },
  (t) => [
    primaryKey({ name: "payout_limits_pkey", columns: [t.merchantId] }),
    check("payout_limits_not_negative", sql`${t.maxAmount} >= 0 and ${t.maxADay} >= 0 and ${t.delayMs} >= 0`),
  ],
);

/** The business's own rules, from a time on. Rules that allow more begin a day after they were made. */
export const payoutRules = pgTable(
  "payout_rules",
  {
    merchantId: id(),
    validFrom: reachedMoment().notNull(),
    /** Kobo of one payout. Null: the operator's limit alone. */
    maxAmount: bigint({ mode: "bigint" }),
    /** Kobo of all payouts of a day. Null: the operator's limit alone. */
    maxADay: bigint({ mode: "bigint" }),
    /** Two people decide about more kobo than this. Null: one person decides. */
    twoPeopleAbove: bigint({ mode: "bigint" }),
    /** How often the wallet is paid out without a person. Null: never. */
    automatic: payoutInterval(),
    /** To which account that is, and how many kobo stay in the wallet. */
    automaticAccountId: text(),
    automaticReserve: minorUnits().default(sql`0`),
    madeBy: madeBy(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "payout_rules_pkey", columns: [t.merchantId, t.validFrom] }),
    index("payout_rules_automatic").on(t.merchantId, t.validFrom).where(sql`${t.automatic} is not null`),
    check(
      "payout_rules_limits",
      sql`${t.maxAmount} >= 0 and ${t.maxADay} >= 0 and ${t.twoPeopleAbove} >= 0 and ${t.automaticReserve} >= 0`,
    ),
    check("payout_rules_automatic_account", sql`(${t.automatic} is null) = (${t.automaticAccountId} is null)`),
  ],
);
