import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgEnum, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, id, madeBy, minorUnits, moment } from "./columns.ts";

export const refundStatus = pgEnum("refund_status", ["needs_account", "processing", "paid", "failed", "reversed"]);
/** `bank`: the bank that took the payment sends it back. `payout`: it is sent to an account that the payer has named. */
export const refundRoute = pgEnum("refund_route", ["bank", "payout"]);

// True of every row. A list that states it may use these partial indexes; a lookup by key does not state it, so it cannot (docs/decisions/0008).
export const OPENS_REFUNDS_OF_A_LINK = "amount > 0";

/** Money of a paid link that goes back to its payer, once. Its money is held from the start, and it is never sent again. */
export const refunds = pgTable(
  "refunds",
  {
    merchantId: id(),
    /** In lower case also the reference by which merchant and bank know it. */
    id: id(),
    status: refundStatus().notNull(),
    route: refundRoute().notNull(),
    /** The bank that sends the money. */
    provider: text().notNull(),
    linkId: id(),
    /** The reference of the link. */
    paymentReference: text().notNull(),
    /** The transfer that paid the link, the bank's id of it, and our reference for its account there. */
    transferId: id(),
    transferSessionId: text().notNull(),
    accountReference: text(),
    /** Kobo. */
    amount: minorUnits(),
    reason: text(),
    /** The payer's account, once it is known. A refund by the bank never has one. */
    bankCode: text(),
    bankName: text(),
    accountNumber: text(),
    /** As the account's bank has it. */
    accountName: text(),
    accountGivenAt: moment(),
    /** Whether an owner still decides about the account, because its name is not the sender's. */
    awaitsOwner: boolean().notNull().default(false),
    /** The owner who agreed to the account. */
    confirmedBy: text(),
    /** How often the payer has asked for the name of an account. */
    lookups: integer().notNull().default(0),
    /** While an account is needed: until when it can be given, or agreed to. */
    expiresAt: moment(),
    /** When it was ordered from the bank, or a moment before. */
    orderedAt: moment(),
    /** The bank's id of a refund of its own, where it tells one. */
    bankReference: text(),
    /** The id by which both banks know the transfer to the payer, where the bank tells it. */
    sessionId: text(),
    failureReason: text(),
    /** Whether the bank paid after the refund had failed here, so that the wallet paid a second time, without a hold. */
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
    madeBy: madeBy(),
    createdAt: createdAt(),
    paidAt: moment(),
    /** When it failed or came back. */
    endedAt: moment(),
  },
  (t) => [
    primaryKey({ name: "refunds_pkey", columns: [t.merchantId, t.id] }),
    // Each is partial by a condition that its list states and no lookup by key states (docs/decisions/0008).
    index("refunds_of_a_link").on(t.merchantId, t.linkId, t.id).where(sql`${t.amount} > 0`),
    index("refunds_of_a_transfer").on(t.merchantId, t.transferId).where(sql`${t.status} in ('needs_account', 'processing', 'paid')`),
    index("refunds_by_creation").on(t.merchantId, t.createdAt),
    index("refunds_open").on(t.merchantId, t.id).where(sql`${t.status} in ('needs_account', 'processing')`),
    index("refunds_failed").on(t.merchantId, t.id).where(sql`${t.status} = 'failed'`),
    index("refunds_reversed").on(t.merchantId, t.id).where(sql`${t.status} = 'reversed'`),
    index("refunds_by_account").on(t.merchantId, t.accountNumber, t.id).where(sql`${t.accountNumber} is not null`),
    index("refunds_by_session").on(t.merchantId, t.sessionId).where(sql`${t.sessionId} is not null`),
    index("refunds_due").on(t.provider, t.nextAttemptAt).where(sql`${t.nextAttemptAt} is not null`),
    index("refunds_to_expire").on(t.expiresAt).where(sql`${t.expiresAt} is not null`),
    check("refunds_amount", sql`${t.amount} > 0`),
    check("refunds_account_number", sql`${t.accountNumber} ~ '^[0-9]{10}$'`),
    check(
      "refunds_account_is_whole",
      sql`num_nonnulls(${t.bankCode}, ${t.bankName}, ${t.accountNumber}, ${t.accountName}, ${t.accountGivenAt}) in (0, 5)`,
    ),
    check(
      "refunds_by_the_bank_have_no_account",
      sql`${t.route} = 'payout' or (${t.accountNumber} is null and ${t.status} <> 'needs_account')`,
    ),
    check(
      "refunds_ordered_unless_waiting",
      sql`case ${t.status} when 'needs_account' then ${t.orderedAt} is null when 'failed' then true else ${t.orderedAt} is not null end`,
    ),
    check("refunds_ordered_with_account", sql`${t.orderedAt} is null or ${t.route} = 'bank' or ${t.accountNumber} is not null`),
    check("refunds_not_ordered_before_the_owner", sql`not ${t.awaitsOwner} or ${t.orderedAt} is null`),
    check("refunds_expire_while_they_need_an_account", sql`(${t.status} = 'needs_account') = (${t.expiresAt} is not null)`),
    check("refunds_failed_has_reason", sql`(${t.status} in ('failed', 'reversed')) = (${t.failureReason} is not null)`),
    check(
      "refunds_times",
      sql`(${t.paidAt} is not null) = (${t.status} in ('paid', 'reversed')) and (${t.endedAt} is not null) = (${t.status} in ('failed', 'reversed'))`,
    ),
    check("refunds_processing_is_read", sql`${t.status} <> 'processing' or ${t.nextAttemptAt} is not null`),
  ],
);
