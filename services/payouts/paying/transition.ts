import type { PayoutOutcome } from "#providers/payout-bank.ts";
import type { PayoutRow } from "../payout.ts";

/** An outcome that decides a payout. */
export type Final = Extract<PayoutOutcome, { status: "paid" | "failed" | "reversed" }>;

/**
 * The change that an outcome makes. `late`: the bank has paid after the payout had failed here. `reversal`: a payout that was paid came back.
 * `contradiction`: the bank says that it paid what had come back before, or did not pay what it had paid. No money moves then, and operators ask it.
 */
export type Change = "paid" | "failed" | "late" | "reversal" | "contradiction";

export const finalOutcome = (outcome: PayoutOutcome): Final | undefined =>
  outcome.status === "paid" || outcome.status === "failed" || outcome.status === "reversed" ? outcome : undefined;

/** Returns the change that an outcome makes to a payout, or undefined where it changes nothing. */
export function changeOf(payout: Pick<PayoutRow, "status" | "corrections">, outcome: Final): Change | undefined {
  const isPaid = outcome.status === "paid";
  switch (payout.status) {
    case "processing":
      return isPaid ? "paid" : "failed";
    case "paid":
      if (isPaid) return undefined;
      return outcome.status === "reversed" && payout.corrections === 0 ? "reversal" : "contradiction";
    case "failed":
      return isPaid ? "late" : undefined;
    case "reversed":
      return isPaid ? "contradiction" : undefined;
  }
}

/**
 * The change that an operator's word makes, who has asked the bank. A word that does not follow the state changes nothing. `again`: a payout that had
 * come back here was paid after all.
 */
export function changeByOperator(
  { status }: Pick<PayoutRow, "status">,
  outcome: Final["status"],
): Exclude<Change, "contradiction"> | "again" | undefined {
  switch (status) {
    case "processing":
      return outcome === "reversed" ? undefined : outcome;
    case "paid":
      return outcome === "reversed" ? "reversal" : undefined;
    case "failed":
      return outcome === "paid" ? "late" : undefined;
    case "reversed":
      return outcome === "paid" ? "again" : undefined;
  }
}
