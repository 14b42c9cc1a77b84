import type { NewEvent } from "../../events/index.ts";
import { sealSecrets } from "../delivery.ts";
import { presentPurchaseWithoutSecrets } from "../present.ts";
import { type PurchaseRow, purchaseFromRow } from "../purchase.ts";
import type { Transition } from "./transition.ts";

/** Returns the purchase after a transition. */
export function applied(purchase: PurchaseRow, { kind, status, charged, delivery, reason }: Transition): PurchaseRow {
  return {
    ...purchase,
    status,
    charged,
    failureReason: reason,
    // Delivered tokens and pins stay readable, also after a reversal.
    secrets: (delivery && sealSecrets(purchase, delivery)) ?? purchase.secrets,
    units: delivery?.units ?? purchase.units,
    corrections: kind === "settled" ? purchase.corrections : purchase.corrections + 1,
    attempts: 0,
    completedAt: new Date(),
  };
}

/** Returns the event of a transition. A reversal is `vtu.reversed`, also where only a part of the purchase had been delivered. */
export const toEvent = (after: PurchaseRow, kind: Transition["kind"]): NewEvent => ({
  type: kind === "reversal" ? "vtu.reversed" : after.status === "success" ? "vtu.success" : "vtu.failed",
  data: presentPurchaseWithoutSecrets(purchaseFromRow(after)),
});
