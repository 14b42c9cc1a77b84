import { log } from "#lib/log.ts";
import type { Delivery, Outcome } from "#providers/aggregator.ts";
import type { PurchaseRow } from "./purchase.ts";
import { MOST_CORRECTIONS } from "./schedule.ts";

/** What an outcome makes of a purchase. */
export interface Transition {
  kind: "settled" | "late_success" | "reversal";
  status: "success" | "failed" | "reversed";
  /** Kobo: the worth of what is delivered. */
  charged: bigint;
  delivery: Delivery | null;
  reason: string | null;
}

export type Final = Extract<Outcome, { status: "delivered" | "failed" }>;

/**
 * What a final word changes, or undefined where it says nothing new. While a purchase is processing it settles it. After that only a
 * reading may take it back (`isReading`): the answer to the purchase itself may be older than what was read since.
 */
export function transitionOf(purchase: PurchaseRow, outcome: Final, { isReading }: { isReading: boolean }): Transition | undefined {
  const charged = worthOf(purchase, outcome);
  const delivery = outcome.status === "delivered" ? withinOrder(purchase, outcome.delivery) : null;
  const reason = outcome.status === "failed" ? outcome.reason : charged === 0n ? "The provider had none to deliver." : null;
  if (purchase.status === "processing") return { kind: "settled", status: charged > 0n ? "success" : "failed", charged, delivery, reason };
  if (!isReading || charged === purchase.charged) return undefined;
  if (purchase.corrections >= MOST_CORRECTIONS) {
    log().fatal(
      { merchantId: purchase.merchantId, purchaseId: purchase.id },
      "an aggregator changes its word again and again: no money follows",
    );
    return undefined;
  }
  const kind = charged > purchase.charged ? "late_success" : "reversal";
  return { kind, status: charged > 0n ? "success" : "reversed", charged, delivery, reason };
}

/** Exam pins count one by one; of anything else there is all or nothing. */
function worthOf({ service, quantity, unitPrice, amount }: PurchaseRow, outcome: Final): bigint {
  if (outcome.status === "failed") return 0n;
  if (service !== "exam") return amount;
  const pins = outcome.delivery.pins.length;
  return unitPrice * BigInt(pins < quantity ? pins : quantity);
}

/** More pins than were paid for are not the buyer's. */
function withinOrder({ id, service, quantity }: PurchaseRow, delivery: Delivery): Delivery {
  if (service !== "exam" || delivery.pins.length <= quantity) return delivery;
  log().error(
    { purchaseId: id, ordered: quantity, delivered: delivery.pins.length },
    "an aggregator delivered more pins than were ordered",
  );
  return { ...delivery, pins: delivery.pins.slice(0, quantity) };
}

/** A final word, or undefined. A prepaid meter's credit is its token: without one it is not delivered yet, whatever they call it. */
export function finalWord({ service, variant }: Pick<PurchaseRow, "service" | "variant">, outcome: Outcome): Final | undefined {
  if (outcome.status === "failed") return outcome;
  if (outcome.status !== "delivered") return undefined;
  const lacksToken = service === "electricity" && variant === "Prepaid" && outcome.delivery.tokens.length === 0;
  return lacksToken ? undefined : outcome;
}
