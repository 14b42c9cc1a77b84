import type { NewEvent } from "../events/index.ts";
import { sealSecrets } from "./delivery.ts";
import { presentPurchaseWithoutSecrets } from "./present.ts";
import { type PurchaseRow, purchaseFromRow } from "./purchase.ts";
import type { Transition } from "./transition.ts";

/** A purchase as a transition leaves it. */
export function applied(purchase: PurchaseRow, { kind, status, charged, delivery, reason }: Transition): PurchaseRow {
  return {
    ...purchase,
    status,
    charged,
    failureReason: reason,
    // Tokens and pins that were once delivered stay readable, also where they were taken back.
    secrets: (delivery && sealSecrets(purchase, delivery)) ?? purchase.secrets,
    units: delivery?.units ?? purchase.units,
    corrections: kind === "settled" ? purchase.corrections : purchase.corrections + 1,
    attempts: 0,
    completedAt: new Date(),
  };
}

/** Money that came back after a success is told as a reversal, also where it was a part of it. */
export const toEvent = (after: PurchaseRow, kind: Transition["kind"]): NewEvent => ({
  type: kind === "reversal" ? "vtu.reversed" : after.status === "success" ? "vtu.success" : "vtu.failed",
  data: presentPurchaseWithoutSecrets(purchaseFromRow(after)),
});
