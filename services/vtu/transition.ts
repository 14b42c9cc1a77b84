import { log } from "#lib/log.ts";
import type { Delivery, Pin, PurchaseOutcome } from "#providers/aggregator.ts";
import type { PurchaseRow } from "./purchase.ts";
import { MAX_CORRECTIONS } from "./schedule.ts";

/** What an outcome makes of a purchase. */
export interface Transition {
  /** `ignored`: it has changed its word too often for money to follow. */
  kind: "settled" | "late_success" | "reversal" | "ignored";
  status: "success" | "failed" | "reversed";
  /** Kobo: the worth of what is delivered. */
  charged: bigint;
  delivery: Delivery | null;
  reason: string | null;
}

export type Final = Extract<PurchaseOutcome, { status: "delivered" | "failed" }>;

/**
 * What a final word changes, or undefined where it says nothing new. While a purchase is processing it settles it. After that only a clear
 * `failed` takes it back: a list of pins that has become shorter, or cannot be read, is no word on money.
 */
export function transitionOf(purchase: PurchaseRow, outcome: Final): Transition | undefined {
  const charged = worthOf(purchase, outcome);
  const delivery = outcome.status === "delivered" ? withinOrder(purchase, outcome.delivery) : null;
  const reason = outcome.status === "failed" ? outcome.reason : null;
  if (purchase.status === "processing") return { kind: "settled", status: charged > 0n ? "success" : "failed", charged, delivery, reason };
  if (charged === purchase.charged) return undefined;
  if (charged < purchase.charged && outcome.status === "delivered") {
    log().fatal(
      { merchantId: purchase.merchantId, purchaseId: purchase.id },
      "an aggregator now tells of fewer pins than it had delivered",
    );
    return undefined;
  }
  const kind = purchase.corrections >= MAX_CORRECTIONS ? "ignored" : charged > purchase.charged ? "late_success" : "reversal";
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

/** A final word, or undefined. A prepaid meter's credit is its token, and exam pins are their pins: without any it is not delivered yet, whatever they call it. */
export function finalWord({ service, variant }: Pick<PurchaseRow, "service" | "variant">, outcome: PurchaseOutcome): Final | undefined {
  if (outcome.status === "failed") return outcome;
  if (outcome.status !== "delivered") return undefined;
  const { tokens, pins, units } = outcome.delivery;
  const lacksToken = service === "electricity" && variant === "Prepaid" && tokens.length === 0;
  const lacksPins = service === "exam" && pins.length === 0;
  if (lacksToken || lacksPins) return undefined;
  return { status: "delivered", delivery: { tokens, pins: distinct(pins), units } };
}

/** A pin counts once, however often it is listed. */
const distinct = (pins: Pin[]): Pin[] => [...new Map(pins.map((each) => [each.pin, each])).values()];
