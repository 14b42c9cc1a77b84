import { isAboutData, sql } from "#db/client.ts";
import { Batches } from "#lib/batches.ts";
import { Problem } from "#lib/problem.ts";
import { superseded } from "../../idempotency/index.ts";
import { toRequest as toLedgerRequest } from "../../ledger/index.ts";
import { waitAfterMs } from "../../read-waits.ts";
import type { PurchaseRow } from "../purchase.ts";
import { DUPLICATE_WITHIN_MS } from "../schedule.ts";
import { hold } from "./journal.ts";

/** A purchase with the product and the price that were quoted for it. */
export type Quoted = Pick<
  PurchaseRow,
  | "merchantId"
  | "id"
  | "service"
  | "provider"
  | "productId"
  | "productCode"
  | "productName"
  | "recipient"
  | "variant"
  | "sku"
  | "customer"
  | "metadata"
  | "quantity"
  | "unitPrice"
  | "amount"
  | "madeBy"
> & {
  /** A repetition is intended, so the check for duplicates is skipped: `allow_duplicate` says so, or an API key's Idempotency-Key. */
  isMeant: boolean;
  /** The lease on the Idempotency-Key, if the request has one. A superseded lease claims nothing. */
  claim?: { scope: string; key: string; lockedUntil: string } | null;
};

/** The states of `claim_purchases`. `superseded`: another attempt owns the Idempotency-Key now, so this lease is superseded. */
type ClaimResult =
  | { status: "claimed"; purchase: PurchaseRow }
  | { status: "known" }
  | { status: "superseded" }
  | { status: "insufficient" }
  | { status: "duplicate"; id: string };

const MAX_AT_ONCE = 32;
const claims = new Batches<Quoted, ClaimResult>(claimAll, { most: MAX_AT_ONCE, isAboutAnItem: isAboutData });

/**
 * Stores a purchase and holds its money in one commit, before the aggregator is called. Returns the purchase to the call that stored
 * it: only that call may send the order. Returns undefined where the purchase is already stored. Throws DUPLICATE_PURCHASE,
 * INSUFFICIENT_BALANCE, and REQUEST_IN_PROGRESS where the lease on the Idempotency-Key is superseded.
 */
export async function claimPurchase(quoted: Quoted): Promise<PurchaseRow | undefined> {
  const claimed = await claims.add(quoted.merchantId, quoted);
  switch (claimed.status) {
    case "claimed":
      return claimed.purchase;
    case "known":
      return undefined;
    case "superseded":
      throw superseded();
    case "insufficient":
      throw new Problem("INSUFFICIENT_BALANCE", "The wallet does not cover this purchase. Add money, then send it again.");
    case "duplicate":
      throw new Problem(
        "DUPLICATE_PURCHASE",
        `The same was bought for ${quoted.recipient} a moment ago (${claimed.id}). If you mean it, send allow_duplicate: true.`,
      );
  }
}

interface ClaimedRow {
  id: string;
  status: ClaimResult["status"];
  duplicate_of: string | null;
  created_at: string;
  next_attempt_at: string;
}

/** Claims a batch in one call and one commit: db/functions/claim_purchases.sql. */
async function claimAll(merchantId: string, batch: Quoted[]): Promise<ClaimResult[]> {
  // An attempt and the one that superseded it need separate answers. This error makes `Batches` run the items one by one.
  if (new Set(batch.map(({ id }) => id)).size < batch.length) throw new Error("two claims of a batch have one id");
  const rows = await sql()<ClaimedRow[]>`
    select * from claim_purchases(${merchantId},
      array(select p from json_populate_recordset(null::purchase_request, ${JSON.stringify(batch.map(toRequest))}::text::json) p),
      ${DUPLICATE_WITHIN_MS} * interval '1 ms', ${waitAfterMs(0)} * interval '1 ms')`;
  return batch.map((quoted, n): ClaimResult => {
    const row = rows[n];
    if (row?.id !== quoted.id) throw new Error("claims were answered out of order");
    if (row.status === "claimed") {
      return { status: "claimed", purchase: toNewRow(quoted, new Date(row.created_at), new Date(row.next_attempt_at)) };
    }
    return row.status === "duplicate" ? { status: "duplicate", id: row.duplicate_of ?? "" } : { status: row.status };
  });
}

/** Returns a purchase as `claim_purchases` takes it. */
const toRequest = (quoted: Quoted) => ({
  id: quoted.id,
  service: quoted.service,
  provider: quoted.provider,
  product_id: quoted.productId,
  product_code: quoted.productCode,
  product_name: quoted.productName,
  recipient: quoted.recipient,
  variant: quoted.variant,
  sku: quoted.sku,
  customer: quoted.customer,
  metadata: quoted.metadata,
  quantity: quoted.quantity,
  unit_price: String(quoted.unitPrice),
  amount: String(quoted.amount),
  made_by: quoted.madeBy,
  is_meant: quoted.isMeant,
  lease_scope: quoted.claim?.scope,
  lease_key: quoted.claim?.key,
  leased_until: quoted.claim?.lockedUntil,
  hold: toLedgerRequest(hold(quoted)),
});

function toNewRow({ isMeant: _meant, claim: _claim, ...quoted }: Quoted, createdAt: Date, nextAttemptAt: Date): PurchaseRow {
  return {
    ...quoted,
    status: "processing",
    charged: 0n,
    secrets: null,
    units: null,
    failureReason: null,
    attempts: 0,
    fencingToken: 0,
    leasedAt: null,
    corrections: 0,
    nextAttemptAt,
    createdAt,
    completedAt: null,
  };
}
