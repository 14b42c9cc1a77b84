import type { PayoutOutcome } from "#providers/payout-bank.ts";
import type { PayoutRow } from "../payout.ts";

/** An outcome that decides a payout. */
export type Final = Extract<PayoutOutcome, { status: "paid" | "failed" }>;

/**
 * The change that an outcome makes. `late`: the bank has paid after the payout had failed here. `reversal`: a payout that was paid came back.
 * `contradiction`: the bank says that it paid what had come back before. No money moves then, and operators ask the bank.
 */
export type Change = "paid" | "failed" | "late" | "reversal" | "contradiction";

export const finalOutcome = (outcome: PayoutOutcome): Final | undefined =>
  outcome.status === "paid" || outcome.status === "failed" ? outcome : undefined;

/** Returns the change that an outcome makes to a payout, or undefined where it changes nothing. */
export function changeOf({ status }: Pick<PayoutRow, "status">, outcome: Final): Change | undefined {
  const isPaid = outcome.status === "paid";
  switch (status) {
    case "processing":
      return isPaid ? "paid" : "failed";
    case "paid":
      return isPaid ? undefined : "reversal";
    case "failed":
      return isPaid ? "late" : undefined;
    case "reversed":
      return isPaid ? "contradiction" : undefined;
  }
}
