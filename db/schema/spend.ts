import { sql } from "drizzle-orm";
import { boolean, check, index, jsonb, pgEnum, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import { createdAt, id, minorUnits, moment } from "./columns.ts";
import { currency } from "./ledger.ts";

export const cardTransactionType = pgEnum("card_transaction_type", ["AUTHORIZATION", "CLEARING", "REVERSAL", "REFUND", "DECLINE", "FEE"]);

export const cardTransactionStatus = pgEnum("card_transaction_status", ["PENDING", "COMPLETED", "REVERSED", "DECLINED"]);

// True of every row. A list that states it may use this partial index; a lookup by key does not state it, so it cannot (docs/decisions/0008).
export const OPENS_SPEND_NEWEST = "provider_transaction_id > ''";

/** A card's spend as the issuer lists it, with one row for each of the issuer's transactions. */
export const cardTransactions = pgTable(
  "card_transactions",
  {
    merchantId: id(),
    cardId: id(),
    id: id(),
    providerTransactionId: text().notNull(),
    type: cardTransactionType().notNull(),
    status: cardTransactionStatus().notNull(),
    amount: minorUnits(),
    currency: currency().notNull(),
    /** For an authorization: US cents that are still held, and the ledger key of that hold. */
    openAmount: minorUnits().default(sql`0`),
    holdKey: text(),
    merchantName: text().notNull(),
    categoryCode: text(),
    city: text(),
    country: text(),
    declineReason: text(),
    relatedTransactionId: text(),
    /** The issuer's name for the transaction that this one follows, even if we have no row of it. */
    relatedReference: text(),
    /** Whether it was recorded after the card's end. Whether it is passed on to the wallet is decided once all spend is recorded. */
    awaitsPassingOn: boolean().notNull().default(false),
    /** US cents by which its last posting (its recording, or the release of an expired authorization) changed the card's balance. */
    change: minorUnits().default(sql`0`),
    /** The time of the transaction, as the issuer reports it. */
    occurredAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "card_transactions_pkey", columns: [t.merchantId, t.cardId, t.id] }),
    unique("card_transactions_once").on(t.merchantId, t.cardId, t.providerTransactionId),
    index("card_transactions_newest").on(t.merchantId, t.id).where(sql`${t.providerTransactionId} > ''`),
    index("card_transactions_to_pass_on").on(t.merchantId, t.cardId).where(sql`${t.awaitsPassingOn}`),
    index("card_transactions_open").on(t.occurredAt).where(sql`${t.openAmount} > 0`),
    index("card_transactions_waiting").on(t.createdAt).where(sql`${t.awaitsPassingOn}`),
    index("card_transactions_by_related").on(t.merchantId, t.cardId, t.relatedReference).where(sql`${t.relatedReference} is not null`),
    // A zero amount is common: shops check whether a card works.
    check("card_transactions_amount_not_negative", sql`${t.amount} >= 0`),
    check(
      "card_transactions_open_is_held",
      sql`${t.openAmount} between 0 and ${t.amount} and (${t.openAmount} > 0) = (${t.holdKey} is not null) and (${t.openAmount} = 0 or ${t.type} = 'AUTHORIZATION')`,
    ),
    check("card_transactions_decline_has_reason", sql`(${t.type} = 'DECLINE') = (${t.declineReason} is not null)`),
  ],
);

/** A row of an issuer's list that cannot be recorded. It stays out of the ledger until an operator resolves it, and delays no other row. */
export const quarantinedSpend = pgTable(
  "quarantined_spend",
  {
    merchantId: id(),
    cardId: id(),
    providerTransactionId: text().notNull(),
    reason: text().notNull(),
    /** The transaction as the adapter parsed it. */
    payload: jsonb().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "quarantined_spend_pkey", columns: [t.merchantId, t.cardId, t.providerTransactionId] })],
);
