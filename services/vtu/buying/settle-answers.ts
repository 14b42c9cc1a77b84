import { isAboutData, sql } from "#db/client.ts";
import { Batches } from "#lib/batches.ts";
import { log } from "#lib/log.ts";
import { announceDeliveries, withId } from "../../events/index.ts";
import { toRequest } from "../../ledger/index.ts";
import type { PurchaseRow } from "../purchase.ts";
import { findPurchase } from "../purchases/read-purchases.ts";
import { RECHECK_AFTER_MS } from "../schedule.ts";
import { applied, toEvent } from "./change.ts";
import { resolveHold } from "./journal.ts";
import { type Final, transitionOf } from "./transition.ts";

const MAX_AT_ONCE = 32;
const answers = new Batches<PurchaseRow, boolean>(settleAll, { most: MAX_AT_ONCE, isAboutAnItem: isAboutData });

/**
 * Settles a purchase by the answer to its order, once, and only while it is `processing`: a read that has settled it since is newer.
 * Purchase, wallet, ledger and event commit together. Returns the purchase as it is afterwards.
 */
export async function settleAnswer(purchase: PurchaseRow, answer: Final): Promise<PurchaseRow> {
  const transition = transitionOf(purchase, answer);
  if (transition?.kind !== "settled") throw new Error(`purchase ${purchase.id} is not processing`);
  const after = applied(purchase, transition);
  if (await answers.add(purchase.merchantId, after)) return after;
  const now = await findPurchase(purchase.merchantId, purchase.id);
  if (!now) throw new Error(`no purchase ${purchase.id} of ${purchase.merchantId}`);
  if (now.charged !== after.charged) await makeDue(now);
  return now;
}

/** Makes the purchase due at once. A read has settled it at another amount than in the answer, so the aggregator must be read again. */
async function makeDue({ merchantId, id }: PurchaseRow): Promise<void> {
  log().error({ merchantId, purchaseId: id }, "an aggregator's answer differs from the settled purchase, which is read again");
  await sql()`update purchases set next_attempt_at = date_trunc('milliseconds', now()) where merchant_id = ${merchantId} and id = ${id} and status <> 'processing'`;
}

/**
 * Settles a batch in one call and one commit: db/functions/settle_purchases.sql. Returns for each purchase whether this call settled
 * it.
 */
async function settleAll(merchantId: string, batch: PurchaseRow[]): Promise<boolean[]> {
  const each = [...new Map(batch.map((after) => [after.id, after])).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const [row] = await sql()<{ settled: string[]; endpoints: string[] }[]>`
    select * from settle_purchases(${merchantId},
      array(select s from json_populate_recordset(null::purchase_settlement, ${JSON.stringify(each.map(toSettlement))}::text::json) s),
      ${RECHECK_AFTER_MS} * interval '1 ms')`;
  if (!row) throw new Error("settle_purchases has no answer");
  announceDeliveries(merchantId, row.endpoints);
  return batch.map((after) => row.settled.includes(after.id) && each.includes(after));
}

/** Returns the settlement of a purchase in the form of `settle_purchases`. */
const toSettlement = (after: PurchaseRow) => ({
  id: after.id,
  status: after.status,
  charged: String(after.charged),
  secrets: after.secrets,
  units: after.units,
  failure_reason: after.failureReason,
  completed_at: after.completedAt,
  transfer: toRequest(resolveHold(after, after.charged)),
  event: withId(toEvent(after, "settled")),
});
