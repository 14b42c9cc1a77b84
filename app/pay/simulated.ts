import type { PayerView } from "#services/checkout/index.ts";

/** How the page would look if something were so that is not the link's doing. In test mode alone; nothing is changed by it. */
export function asSimulated(found: PayerView, simulate: string | null): PayerView {
  if (found.mode !== "test") return found;
  if (simulate === "bank-down") return { ...found, bankIsDown: true };
  if (simulate === "suspended") return { ...found, suspended: true };
  return found;
}
