import type { PayerView } from "#services/checkout/index.ts";

/** Returns the view with a simulated state of the bank or the merchant, in test mode only. Nothing is stored. */
export function applySimulation(found: PayerView, simulate: string | null): PayerView {
  if (found.mode !== "test") return found;
  if (simulate === "bank-down") return { ...found, bankIsDown: true };
  if (simulate === "suspended") return { ...found, suspended: true };
  return found;
}
