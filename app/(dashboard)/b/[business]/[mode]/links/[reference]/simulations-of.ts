import { formatMoney, type Money, money, toMajorNumber } from "#lib/money.ts";
import type { PaymentLink } from "#services/checkout/index.ts";

/** What the payer, the bank or the clock can do to a test link. */
export interface Simulation {
  kind: "exact" | "under" | "over" | "late" | "duplicate" | "expire";
  label: string;
  /** What comes in, and the state that follows. */
  effect: string;
  /** In Naira. Absent for the exact amount, and where no money is sent. */
  amount?: number;
}

const LESS_KOBO = 10_000n;

/** Returns what can happen next to a link, as it is now. */
export function simulationsOf({ status, amount }: PaymentLink): Simulation[] {
  const { minor, currency } = amount;
  const due = formatMoney(amount);
  if (status === "success")
    return [{ kind: "duplicate", label: "Pay once more", effect: `${due} comes in a second time. It goes back, and the link stays paid.` }];
  if (status === "expired")
    return [{ kind: "late", label: "Pay too late", effect: `${due} comes in after the end. It goes back, and the link stays expired.` }];
  const less = money(minor - (minor > LESS_KOBO ? LESS_KOBO : 1n), currency);
  const more = money(minor * 2n, currency);
  return [
    { kind: "exact", label: "Pay exactly", effect: `${due} comes in. The link is paid.` },
    { kind: "under", label: "Pay too little", amount: toMajorNumber(less), effect: goesBack(less) },
    { kind: "over", label: "Pay too much", amount: toMajorNumber(more), effect: goesBack(more) },
    { kind: "expire", label: "End the time", effect: "Nothing comes in. The link expires." },
  ];
}

const goesBack = (amount: Money) => `${formatMoney(amount)} comes in. It goes back, and the link stays waiting.`;
