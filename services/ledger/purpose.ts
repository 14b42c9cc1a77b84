import type { Sql } from "#db/client.ts";
import { OPENS_SPEND_NEWEST } from "#db/schema/spend.ts";
import type { Currency } from "#lib/money.ts";
import { type Fragment, rowOf } from "../list-window.ts";

/** The type of a transfer that was not caused by a record of the merchant. */
export const ADJUSTMENT = "adjustment";

/** The record whose money moved, or is held. */
export interface Related {
  type: "payment_link" | "card" | "card_operation" | "card_transaction" | "purchase" | "payout" | "refund";
  id: string;
  /** The reference by which merchant and provider know it, if it has one; of a refund, the reference of its link. */
  reference: string | null;
  /** The card of an operation or of spend. */
  cardId: string | null;
}

/** The reason why money moved, or is held. */
export interface Purpose {
  type: string;
  reference: string | null;
  /** Null for an adjustment. */
  related: Related | null;
}

/**
 * Returns a query of the rows of `found` with the purpose of their transfers, which its column `transfer_id` names. A transfer's key begins with
 * the id of the record that moved the money; the recovery of a debt has the key of the credit that paid it.
 */
export function withPurpose(query: Sql, merchantId: string, found: Fragment): Fragment {
  const own = (table: string, is: Fragment) => rowOf(query, merchantId, { table, column: "id", is });
  return query`
  select t.*, x.currency, x.meta, key.name,
    l.link_id, o.card_id as operation_card_id, o.reference as operation_reference, s.card_id as spend_card_id
  from (${found}) t
  cross join lateral (${own("ledger_transfers", query`t.transfer_id`)}) x
  cross join lateral (select regexp_replace(x.key, '^(bank_transfer|card_transaction):', '') as rest) prefixed
  cross join lateral (select split_part(prefixed.rest, ':', 1) as name) key
  left join lateral (${own("bank_transfers", query`key.name`)}) l on key.name like 'btr\\_%'
  left join lateral (${own("card_operations", query`key.name`)}) o on key.name like 'cop\\_%'
  left join lateral (
    select s.card_id from card_transactions s
    where key.name like 'ctx\\_%' and s.merchant_id = ${merchantId} and s.id = key.name and s.${query.unsafe(OPENS_SPEND_NEWEST)} limit 1
  ) s on true`;
}

/** The columns that `withPurpose` adds. */
export interface RawPurpose {
  currency: Currency | null;
  meta: { type?: string; reference?: string };
  /** The first part of the transfer's key. */
  name: string;
  link_id: string | null;
  operation_card_id: string | null;
  operation_reference: string | null;
  spend_card_id: string | null;
}

export function purposeOf(row: RawPurpose): Purpose {
  const { type = ADJUSTMENT, reference = null } = row.meta;
  return { type, reference, related: relatedTo(row) };
}

function relatedTo({ name, meta, ...row }: RawPurpose): Related | null {
  const reference = meta.reference ?? null;
  switch (name.slice(0, name.indexOf("_"))) {
    case "btr":
      return row.link_id === null ? null : { type: "payment_link", id: row.link_id, reference, cardId: null };
    case "cop":
      return { type: "card_operation", id: name, reference: row.operation_reference, cardId: row.operation_card_id };
    case "ctx":
      return { type: "card_transaction", id: name, reference: null, cardId: row.spend_card_id };
    // A difference with an issuer, which is about a card.
    case "sus":
      return reference === null ? null : { type: "card", id: reference, reference: null, cardId: reference };
    case "po":
      return { type: "payout", id: name, reference, cardId: null };
    case "rfd":
      return { type: "refund", id: name, reference, cardId: null };
    case "vtu":
      return { type: "purchase", id: name, reference: name, cardId: null };
    default:
      return null;
  }
}
