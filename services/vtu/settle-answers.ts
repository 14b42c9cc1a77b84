import { isAboutData, sql } from "#db/client.ts";
import { Batches } from "#lib/batches.ts";
import { log } from "#lib/log.ts";
import { announceDeliveries, withId } from "../events/index.ts";
import { toRequest } from "../ledger/index.ts";
import { applied, toEvent } from "./change.ts";
import { resolveHold } from "./journal.ts";
import type { PurchaseRow } from "./purchase.ts";
import { findPurchase } from "./read-purchases.ts";
import { LOOKED_AT_AGAIN_AFTER_MS } from "./schedule.ts";
import { type Final, transitionOf } from "./transition.ts";

const MAX_AT_ONCE = 32;
const answers = new Batches<PurchaseRow, boolean>(settleAll, { most: MAX_AT_ONCE, isAboutAnItem: isAboutData });

/**
 * Settles a purchase by the answer to itself, once, and only while it is processing: whatever was read since is the newer word. Purchase,
 * wallet, ledger and event change together. Returns the purchase as it is then.
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

/** It was settled otherwise meanwhile, as given up or by a reading: which word holds is read again at once. */
async function makeDue({ merchantId, id }: PurchaseRow): Promise<void> {
  log().error({ merchantId, purchaseId: id }, "an aggregator answered a purchase that had been settled otherwise; it is read again");
  await sql()`update purchases set next_attempt_at = now() where merchant_id = ${merchantId} and id = ${id} and status <> 'processing'`;
}

/** One call, one commit: `settle_purchases` (db/migrations/0009). Returns which were settled by it. */
async function settleAll(merchantId: string, batch: PurchaseRow[]): Promise<boolean[]> {
  const each = [...new Map(batch.map((after) => [after.id, after])).values()];
  const [row] = await sql()<{ settled: string[]; endpoints: string[] }[]>`
    select * from settle_purchases(${merchantId}, ${JSON.stringify(each.map(toWord))}::text::json, ${LOOKED_AT_AGAIN_AFTER_MS} * interval '1 ms')`;
  if (!row) throw new Error("settle_purchases has no answer");
  announceDeliveries(merchantId, row.endpoints);
  return batch.map((after) => row.settled.includes(after.id) && each.includes(after));
}

function toWord(after: PurchaseRow) {
  const { id, status, charged, secrets, units, failureReason, completedAt } = after;
  return {
    ...{ id, status, charged: String(charged), secrets, units, failureReason, completedAt },
    transfer: toRequest(resolveHold(after, charged)),
    event: withId(toEvent(after, "settled")),
  };
}
