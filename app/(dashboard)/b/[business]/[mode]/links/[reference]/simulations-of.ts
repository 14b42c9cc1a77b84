import { money, toMajorNumber } from "#lib/money.ts";
import type { PaymentLink } from "#services/checkout/index.ts";

/** What the payer, the bank or the clock can do to a test link. */
export interface Simulation {
  kind: "exact" | "under" | "over" | "late" | "duplicate" | "expire";
  label: string;
  /** In Naira. Absent for the exact amount, and where no money is sent. */
  amount?: number;
}

const LESS_KOBO = 10_000n;

/** Returns what can happen next to a link, as it is now. */
export function simulationsOf({ status, amount: { minor, currency } }: PaymentLink): Simulation[] {
  if (status === "success") return [{ kind: "duplicate", label: "Pay once more" }];
  if (status === "expired") return [{ kind: "late", label: "Pay too late" }];
  const less = money(minor - (minor > LESS_KOBO ? LESS_KOBO : 1n), currency);
  return [
    { kind: "exact", label: "Pay exactly" },
    { kind: "under", label: "Pay too little", amount: toMajorNumber(less) },
    { kind: "over", label: "Pay too much", amount: toMajorNumber(money(minor * 2n, currency)) },
    { kind: "expire", label: "End the time" },
  ];
}
