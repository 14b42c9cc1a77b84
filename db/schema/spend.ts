import { sql } from "drizzle-orm";
import { boolean, check, index, jsonb, pgEnum, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import { createdAt, id, minorUnits, moment } from "./columns.ts";
import { currency } from "./ledger.ts";

export const cardTransactionType = pgEnum("card_transaction_type", ["AUTHORIZATION", "CLEARING", "REVERSAL", "REFUND", "DECLINE", "FEE"]);

export const cardTransactionStatus = pgEnum("card_transaction_status", ["PENDING", "COMPLETED", "REVERSED", "DECLINED"]);

/** A card's own spend, as the issuer tells it: each of its transactions once. */
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
    /** Of an authorization: US cents that are still held, and the ledger's key of that hold. */
    openAmount: minorUnits().default(sql`0`),
    holdKey: text(),
    merchantName: text().notNull(),
    categoryCode: text(),
    city: text(),
    country: text(),
    declineReason: text(),
    relatedTransactionId: text(),
    /** The issuer's name for what this one follows, whether we have that or not. */
    relatedReference: text(),
    /** Recorded at the end of a card's life: it may have to be passed on to the wallet, which is seen when all is recorded. */
    awaitsPassingOn: boolean().notNull().default(false),
    /** When it happened, as the issuer says. */
    occurredAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "card_transactions_pkey", columns: [t.merchantId, t.cardId, t.id] }),
    unique("card_transactions_once").on(t.merchantId, t.cardId, t.providerTransactionId),
    index("card_transactions_to_pass_on").on(t.merchantId, t.cardId).where(sql`${t.awaitsPassingOn}`),
    index("card_transactions_open").on(t.occurredAt).where(sql`${t.openAmount} > 0`),
    index("card_transactions_waiting").on(t.createdAt).where(sql`${t.awaitsPassingOn}`),
    index("card_transactions_by_related").on(t.merchantId, t.cardId, t.relatedReference).where(sql`${t.relatedReference} is not null`),
    // Zero is everyday: shops look whether a card is alive.
    check("card_transactions_amount_not_negative", sql`${t.amount} >= 0`),
    check(
      "card_transactions_open_is_held",
      sql`${t.openAmount} between 0 and ${t.amount} and (${t.openAmount} > 0) = (${t.holdKey} is not null) and (${t.openAmount} = 0 or ${t.type} = 'AUTHORIZATION')`,
    ),
    check("card_transactions_decline_has_reason", sql`(${t.type} = 'DECLINE') = (${t.declineReason} is not null)`),
  ],
);

/** A row of an issuer's list that cannot be recorded. It stays out of the books until an operator has looked into it, and holds up no other. */
export const quarantinedSpend = pgTable(
  "quarantined_spend",
  {
    merchantId: id(),
    cardId: id(),
    providerTransactionId: text().notNull(),
    reason: text().notNull(),
    /** As the adapter understood it. */
    payload: jsonb().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "quarantined_spend_pkey", columns: [t.merchantId, t.cardId, t.providerTransactionId] })],
);
