import { log } from "#lib/log.ts";
import type { Delivery, Pin, PurchaseOutcome } from "#providers/aggregator.ts";
import type { PurchaseRow } from "../purchase.ts";
import { MAX_CORRECTIONS } from "../schedule.ts";

/** The change that an outcome makes to a purchase. */
export interface Transition {
  /** `ignored`: the outcome has changed too often, so no money moves. */
  kind: "settled" | "late_success" | "reversal" | "ignored";
  status: "success" | "failed" | "reversed";
  /** Kobo: the price of the delivered part. */
  charged: bigint;
  delivery: Delivery | null;
  reason: string | null;
}

export type Final = Extract<PurchaseOutcome, { status: "delivered" | "failed" }>;

/**
 * Returns the change that a final outcome makes, or undefined where it changes nothing. Settles a purchase that is `processing`. After that
 * only `failed` returns money: a delivery with fewer pins than before moves none. An operator's outcome moves money even if the aggregator has
 * contradicted itself too often.
 */
export function transitionOf(purchase: PurchaseRow, outcome: Final, { byOperator = false } = {}): Transition | undefined {
  const charged = worthOf(purchase, outcome);
  const delivery = outcome.status === "delivered" ? withinOrder(purchase, outcome.delivery) : null;
  const reason = outcome.status === "failed" ? outcome.reason : null;
  if (purchase.status === "processing") return { kind: "settled", status: charged > 0n ? "success" : "failed", charged, delivery, reason };
  if (charged === purchase.charged) return undefined;
  if (charged < purchase.charged && outcome.status === "delivered") {
    log().fatal({ merchantId: purchase.merchantId, purchaseId: purchase.id }, "an aggregator now reports fewer pins than it had delivered");
    return undefined;
  }
  const isTooOften = purchase.corrections >= MAX_CORRECTIONS && !byOperator;
  const kind = isTooOften ? "ignored" : charged > purchase.charged ? "late_success" : "reversal";
  return { kind, status: charged > 0n ? "success" : "reversed", charged, delivery, reason };
}

/** Returns the price of the delivered part in kobo. Exam pins count one by one; other services are delivered whole or not at all. */
function worthOf({ service, quantity, unitPrice, amount }: PurchaseRow, outcome: Final): bigint {
  if (outcome.status === "failed") return 0n;
  if (service !== "exam") return amount;
  const pins = outcome.delivery.pins.length;
  return unitPrice * BigInt(pins < quantity ? pins : quantity);
}

/** Returns the delivery without the pins beyond the ordered quantity: the buyer did not pay for them. */
function withinOrder({ id, service, quantity }: PurchaseRow, delivery: Delivery): Delivery {
  if (service !== "exam" || delivery.pins.length <= quantity) return delivery;
  log().error(
    { purchaseId: id, ordered: quantity, delivered: delivery.pins.length },
    "an aggregator delivered more pins than were ordered",
  );
  return { ...delivery, pins: delivery.pins.slice(0, quantity) };
}

/**
 * Returns the outcome if it is final, otherwise undefined. A delivery of prepaid electricity without a token, or of exam pins without a
 * pin, is not final, whatever status the aggregator reports.
 */
export function finalOutcome({ service, variant }: Pick<PurchaseRow, "service" | "variant">, outcome: PurchaseOutcome): Final | undefined {
  if (outcome.status === "failed") return outcome;
  if (outcome.status !== "delivered") return undefined;
  const { tokens, pins, units } = outcome.delivery;
  const needed = secretsOf({ service, variant });
  if (needed !== undefined && outcome.delivery[needed].length === 0) return undefined;
  return { status: "delivered", delivery: { tokens, pins: distinct(pins), units } };
}

/** Returns which codes a delivery of a purchase has (tokens or pins), or undefined if it has none. */
export function secretsOf({ service, variant }: Pick<PurchaseRow, "service" | "variant">): "tokens" | "pins" | undefined {
  if (service === "exam") return "pins";
  return service === "electricity" && variant === "Prepaid" ? "tokens" : undefined;
}

/** Returns each pin once, however often it is listed. */
const distinct = (pins: Pin[]): Pin[] => [...new Map(pins.map((each) => [each.pin, each])).values()];
