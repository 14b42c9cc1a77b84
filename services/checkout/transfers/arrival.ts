import { and, eq, inArray, sql } from "drizzle-orm";
import { db, isAboutData, type Tx } from "#db/client.ts";
import { oneTimeAccounts } from "#db/schema/checkout.ts";
import { Batches } from "#lib/batches.ts";
import type { Money } from "#lib/money.ts";
import type { BankNotice } from "#providers/bank.ts";
import type { TransferRow } from "../payment-link.ts";

/** A bank's notice that tells the amount. Without it no transfer can be stored. */
export type TransferNotice = BankNotice & { amount: Money };

/** A bank's notice of money that arrived at an account, and the id that the transfer gets if the notice is the first of its session. */
export interface Arrival {
  provider: string;
  merchantId: string;
  transferId: string;
  notice: TransferNotice;
}

/** An arrival at the one-time account of a link. */
export interface LinkArrival extends Arrival {
  linkId: string;
}

/** The link that a one-time account belongs to, for ever. */
export interface Account {
  accountNumber: string;
  merchantId: string;
  linkId: string;
}

const MAX_AT_ONCE = 64;
const accounts = new Batches<string, Account | undefined>(findAccounts, { most: MAX_AT_ONCE, isAboutAnItem: isAboutData });

/** Returns the link of an account of a bank, by our reference for the account, or undefined for an unknown account. */
export const findAccount = (provider: string, reference: string): Promise<Account | undefined> => accounts.add(provider, reference);

async function findAccounts(provider: string, references: string[]): Promise<(Account | undefined)[]> {
  const { accountReference, accountNumber, merchantId, linkId } = oneTimeAccounts;
  const rows = await db()
    .select({ accountReference, accountNumber, merchantId, linkId })
    .from(oneTimeAccounts)
    .where(and(eq(oneTimeAccounts.provider, provider), inArray(accountReference, references)));
  const found = new Map(rows.map(({ accountReference: reference, ...account }) => [reference, account]));
  return references.map((reference) => found.get(reference));
}

/**
 * Stores the sessions of arrivals of one merchant, in the order of their names, so that two batches do not deadlock.
 * Returns how many were not stored before.
 */
export async function storeSessions(tx: Tx, arrivals: Arrival[]): Promise<number> {
  const rows = arrivals
    .map(({ provider, merchantId, transferId, notice }) => ({
      ...{ provider, merchant_id: merchantId, transfer_id: transferId },
      session_id: notice.sessionId,
    }))
    .toSorted((one, other) => (one.session_id < other.session_id ? -1 : 1));
  const stored = await tx.execute(sql`
    insert into bank_sessions (provider, session_id, merchant_id, transfer_id)
    select provider, session_id, merchant_id, transfer_id from json_populate_recordset(null::bank_sessions, ${JSON.stringify(rows)}::text::json)
    on conflict do nothing returning 1`);
  return stored.length;
}

interface Received {
  linkId: string | null;
  classification: TransferRow["classification"];
  disposition: TransferRow["disposition"];
  /** The bank has the money, and we want it to send it back. */
  mustGoBack?: boolean;
}

/** Stores transfers with their classification. */
export async function storeTransfers(tx: Tx, transfers: { arrival: Arrival; received: Received }[]): Promise<void> {
  await tx.execute(sql`
    insert into bank_transfers (merchant_id, id, link_id, provider, session_id, account_reference, account_number, amount, currency, classification,
      disposition, sender_name, sender_bank, sender_account_last4, received_at, return_state, next_return_at)
    select merchant_id, id, link_id, provider, session_id, account_reference, account_number, amount, currency, classification,
      disposition, sender_name, sender_bank, sender_account_last4, received_at, return_state, case when return_state = 'owed' then now() end
    from json_populate_recordset(null::bank_transfers, ${JSON.stringify(transfers.map(toRow))}::text::json)`);
}

const toRow = ({ arrival: { provider, merchantId, transferId, notice }, received }: { arrival: Arrival; received: Received }) => ({
  ...{ merchant_id: merchantId, id: transferId, link_id: received.linkId, provider, session_id: notice.sessionId },
  ...{
    account_reference: notice.accountReference,
    account_number: notice.accountNumber,
    amount: String(notice.amount.minor),
    currency: notice.amount.currency,
  },
  ...{ classification: received.classification, disposition: received.disposition },
  ...{ sender_name: notice.senderName, sender_bank: notice.senderBank },
  // It is only shown, so an invalid value must not delay the money.
  sender_account_last4: /^\d{4}$/.test(notice.senderAccountLast4 ?? "") ? notice.senderAccountLast4 : null,
  received_at: notice.receivedAt ?? new Date(),
  return_state: received.mustGoBack ? "owed" : "none",
});
