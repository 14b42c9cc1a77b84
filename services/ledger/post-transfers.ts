import { hash } from "node:crypto";
import { type Database, preparing, type Tx } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import type { Currency, Money } from "#lib/money.ts";
import { RECEIVABLE } from "./accounts.ts";
import { alertOnDebts } from "./alert-on-debts.ts";

interface Common {
  /** Unique for the merchant for ever. The same key with the same request always returns the same result. */
  key: string;
  /** The transfer is posted only if the next one of the batch is posted too. */
  linked?: boolean;
  /** The purpose, for people who read the ledger. */
  meta?: Record<string, string>;
}

interface Movement extends Common {
  debit: string;
  credit: string;
  amount: Money;
}

export type Transfer =
  | (Movement & { kind: "post"; overflow?: string })
  | (Movement & { kind: "hold" })
  /** Posts `amount` of a hold (default: all of it) and releases the rest. */
  | (Common & { kind: "capture"; target: string; amount?: Money })
  | (Common & { kind: "release"; target: string })
  | (Common & { kind: "reverse"; target: string; overflow?: string });

export type Rejection =
  | "INSUFFICIENT_FUNDS"
  | "ACCOUNT_NOT_FOUND"
  | "CURRENCY_MISMATCH"
  | "AMOUNT_INVALID"
  | "SAME_ACCOUNT"
  | "TARGET_NOT_FOUND"
  | "NOT_A_HOLD"
  | "HOLD_RESOLVED"
  | "EXCEEDS_HOLD"
  | "NOT_REVERSIBLE"
  | "ALREADY_REVERSED"
  | "KEY_REUSED"
  | "LINKED_REJECTED";

export interface TransferResult {
  key: string;
  result: "posted" | "rejected";
  rejection: Rejection | null;
  transferId: string | null;
  /** Minor units that moved or were held. */
  amount: bigint | null;
  /** The key was posted or rejected before; nothing moved now. */
  replayed: boolean;
}

/**
 * Posts a batch of 1 to 1,000 transfers of one merchant in one round trip (db/functions/ledger_post.sql). Each is posted or rejected
 * on its own unless `linked`. Call it once per transaction: one call locks its accounts in a fixed order, but two calls can deadlock.
 * Returns one result per transfer, in order. A rejection is a result, not an exception; it is recorded and final for its key.
 */
export async function postTransfers(tx: Tx | Database, merchantId: string, transfers: Transfer[]): Promise<TransferResult[]> {
  const batch = JSON.stringify(transfers.map(toRequest));
  const rows = await preparing(tx)<(Omit<TransferResult, "transferId"> & { transfer_id: string | null })[]>`
    select * from ledger_post(${merchantId}, array(select r from json_populate_recordset(null::ledger_request, ${batch}::text::json) r))`;
  return rows.map(({ transfer_id, ...row }) => ({ ...row, transferId: transfer_id }));
}

/**
 * As `postTransfers`, for transfers that cannot be rejected. Alerts the merchant to each amount that the wallet could not cover. Throws an Error where a
 * transfer is rejected, because that is a bug.
 */
export async function mustPost(tx: Tx | Database, merchantId: string, transfers: Transfer[]): Promise<TransferResult[]> {
  const results = await postTransfers(tx, merchantId, transfers);
  const refused = results.find(({ result }) => result === "rejected");
  if (refused) throw new Error(`ledger refused ${refused.key}: ${refused.rejection}`);
  const mayOwe = transfers.filter((transfer) => "overflow" in transfer && transfer.overflow === RECEIVABLE);
  if (mayOwe.length > 0) await alertOnDebts(tx, merchantId, mayOwe);
  return results;
}

/** Returns a transfer as `ledger_post` takes it: with a new id, and a hash of all else. */
export function toRequest(transfer: Transfer): Record<string, unknown> {
  const { amount, ...rest } = transfer as Transfer & { amount?: Money };
  const request = { ...rest, ...(amount && { amount: String(amount.minor), currency: amount.currency satisfies Currency }) };
  return { id: newId("ledgerTransfer"), hash: hashOf(request), ...request };
}

/** Returns a hash that is the same for the same fields in any order. */
function hashOf(request: Record<string, unknown>): string {
  const sorted = (_key: string, value: unknown) =>
    typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value).toSorted()) : value;
  return hash("sha256", JSON.stringify(request, sorted), "base64url").slice(0, HASH_LENGTH);
}

/** 128 bits. */
const HASH_LENGTH = 22;
