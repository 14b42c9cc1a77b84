import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, jsonb, pgEnum, pgTable, primaryKey, text, unique, uniqueIndex } from "drizzle-orm/pg-core";
import { createdAt, id, minorUnits, moment } from "./columns.ts";

export const ledgerSide = pgEnum("ledger_side", ["debit", "credit"]);
export const ledgerTransferKind = pgEnum("ledger_transfer_kind", ["post", "hold", "capture", "release", "reverse", "recover"]);
export const ledgerResult = pgEnum("ledger_result", ["posted", "rejected"]);
export const currency = pgEnum("currency", ["NGN", "USD"]);

const balance = () => minorUnits().default(sql`0`);

/** An account of one merchant in one currency. Written by `ledger_post` alone. */
export const ledgerAccounts = pgTable(
  "ledger_accounts",
  {
    merchantId: id(),
    account: text().notNull(),
    currency: currency().notNull(),
    normalSide: ledgerSide().notNull(),
    /** Whether the available balance may not fall below zero. */
    floored: boolean().notNull(),
    postedDebits: balance(),
    postedCredits: balance(),
    pendingDebits: balance(),
    pendingCredits: balance(),
    /** The amount that can be spent: the posted balance on the normal side, less the holds. */
    available: bigint({ mode: "bigint" })
      .notNull()
      .generatedAlwaysAs(
        sql`case when normal_side = 'credit' then posted_credits - posted_debits - pending_debits else posted_debits - posted_credits - pending_credits end`,
      ),
    /** The number of the last entry. Entries of an account are numbered from 1 without gaps. */
    seq: bigint({ mode: "bigint" }).notNull().default(sql`0`),
    createdAt: createdAt(),
  },
  (t) => [
    // No index begins with the merchant. With one, PostgreSQL 15 and 16 read all accounts of a merchant where a statement names several.
    primaryKey({ name: "ledger_accounts_pkey", columns: [t.account, t.merchantId] }),
    check(
      "ledger_accounts_sums_not_negative",
      sql`least(${t.postedDebits}, ${t.postedCredits}, ${t.pendingDebits}, ${t.pendingCredits}) >= 0`,
    ),
    check("ledger_accounts_available_not_negative", sql`not ${t.floored} or ${t.available} >= 0`),
  ],
);

/** One request to move money, posted or rejected for ever: a repeated key gets the same result. */
export const ledgerTransfers = pgTable(
  "ledger_transfers",
  {
    merchantId: id(),
    id: id(),
    key: text().notNull(),
    requestHash: text().notNull(),
    kind: ledgerTransferKind().notNull(),
    result: ledgerResult().notNull(),
    rejection: text(),
    debitAccount: text(),
    creditAccount: text(),
    currency: currency(),
    amount: bigint({ mode: "bigint" }),
    /** Whether part or all of the amount was debited from the overflow account. */
    overflowed: boolean().notNull().default(false),
    /** The hold that a capture or release resolves. */
    resolvesId: text(),
    /** The posting that a reversal takes back. */
    reversesId: text(),
    /** The purpose: `{ type, reference, … }`. */
    meta: jsonb().notNull().default({}),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "ledger_transfers_pkey", columns: [t.merchantId, t.id] }),
    unique("ledger_transfers_key").on(t.merchantId, t.key),
    uniqueIndex("ledger_transfers_hold_resolves_once").on(t.merchantId, t.resolvesId).where(sql`${t.resolvesId} is not null`),
    uniqueIndex("ledger_transfers_posting_reverses_once").on(t.merchantId, t.reversesId).where(sql`${t.reversesId} is not null`),
    check(
      "ledger_transfers_posted_is_whole",
      sql`${t.result} = 'rejected' or (${t.amount} > 0 and ${t.currency} is not null and ${t.debitAccount} is not null and ${t.creditAccount} is not null and ${t.debitAccount} <> ${t.creditAccount})`,
    ),
    check("ledger_transfers_rejection_named", sql`(${t.result} = 'rejected') = (${t.rejection} is not null)`),
  ],
);

/** Two for each posted transfer. `posted` and `pending` are what the entry adds to its side of the account. Append-only, by triggers. */
export const ledgerEntries = pgTable(
  "ledger_entries",
  {
    merchantId: id(),
    account: text().notNull(),
    seq: bigint({ mode: "bigint" }).notNull(),
    transferId: id(),
    side: ledgerSide().notNull(),
    posted: minorUnits(),
    pending: minorUnits(),
    /** The account's posted balance after this entry, on its normal side. */
    balanceAfter: minorUnits(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "ledger_entries_pkey", columns: [t.merchantId, t.account, t.seq] }),
    // No foreign key to the transfer: the plan of its check may read all transfers of a merchant (docs/decisions/0013). An invariant covers it.
    check("ledger_entries_say_something", sql`${t.posted} <> 0 or ${t.pending} <> 0`),
  ],
);

export const suspenseKind = pgEnum("suspense_kind", ["kept_by_issuer", "returned_by_issuer"]);

/**
 * A difference with an issuer about a terminated card, booked in `suspense:issuer`. `kept_by_issuer`: dollars on the card in our ledger
 * that the issuer did not return. `returned_by_issuer`: dollars that the issuer returned and our ledger did not have on the card. A
 * negative amount is a difference in the other direction.
 */
export const suspenseItems = pgTable(
  "suspense_items",
  {
    merchantId: id(),
    id: id(),
    kind: suspenseKind().notNull(),
    cardId: text().notNull(),
    /** US cents at the time of the difference. */
    amount: minorUnits(),
    /** US cents that are neither explained by spend nor resolved by an operator. */
    open: minorUnits(),
    /** US cents that an operator credited to the wallet, and that nothing has explained since. */
    credited: minorUnits().default(sql`0`),
    /** US cents that an operator left to the issuer, and that nothing has explained since. */
    dismissed: minorUnits().default(sql`0`),
    /** US cents that the issuer kept and that late spend has explained. A late unload may turn out to have taken them. */
    spent: minorUnits().default(sql`0`),
    /** Number of postings that reduced it; each has a ledger key of its own. */
    moves: integer().notNull().default(0),
    createdAt: createdAt(),
    resolvedAt: moment(),
    resolution: text(),
  },
  (t) => [
    primaryKey({ name: "suspense_items_pkey", columns: [t.merchantId, t.id] }),
    index("suspense_items_by_card").on(t.merchantId, t.cardId).where(sql`${t.open} <> 0`),
    // The columns are named without their table, because PostgreSQL adds the constraint to each partition, which has another name.
    index("suspense_items_decided").on(t.merchantId, t.cardId).where(sql`(credited <> 0 or dismissed <> 0 or spent <> 0)`),
    index("suspense_items_open").on(t.createdAt).where(sql`${t.open} <> 0`),
    check("suspense_items_amount", sql`${t.amount} <> 0 and ${t.open} between least(0, ${t.amount}) and greatest(0, ${t.amount})`),
    check(
      "suspense_items_unexplained_is_a_part",
      sql`sign(credited) in (0, sign(amount)) and sign(dismissed) in (0, sign(amount)) and sign(spent) in (0, sign(amount)) and abs(open + credited + dismissed + spent) <= abs(amount)`,
    ),
    check(
      "suspense_items_resolved_when_closed",
      sql`(${t.open} = 0) = (${t.resolvedAt} is not null) and (${t.open} = 0) = (${t.resolution} is not null)`,
    ),
  ],
);
