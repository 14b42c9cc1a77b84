import type { PaidFigures } from "#components/links/links-list.tsx";
import { money } from "#lib/money.ts";
import { DAY_MS, lagosDay } from "#lib/time.ts";
import type { readFigures } from "#services/figures/index.ts";

type Figures = Awaited<ReturnType<typeof readFigures>>["figures"];

const DAYS = 30;

const dayBefore = (now: Date, days: number): string => lagosDay(new Date(now.getTime() - days * DAY_MS));

/** Returns the days of the figures: the last 30 days in Lagos, today included, and the 30 before. */
export const paidRange = (now: Date) => ({ from: dayBefore(now, 2 * DAYS - 1), to: lagosDay(now) });

/** Returns what payment links brought in the last 30 days, less what banks took back and what was refunded, and the change against the 30 days before. */
export function paidOf(figures: Figures, now: Date): PaidFigures {
  const since = dayBefore(now, DAYS - 1);
  const paid = sumOf(figures.filter(({ day }) => day >= since));
  const before = sumOf(figures.filter(({ day }) => day < since));
  return {
    amount: money(paid.minor, "NGN"),
    count: paid.count,
    change: before.minor > 0n ? percentOf(paid.minor, before.minor) : undefined,
  };
}

function sumOf(figures: Figures): { minor: bigint; count: number } {
  let [minor, count] = [0n, 0];
  for (const { source, type, amount, count: times } of figures) {
    if (source !== "event") continue;
    if (type === "checkout.success") [minor, count] = [minor + amount.minor, count + times];
    if (type === "checkout.refund_paid") minor -= amount.minor;
    if (type === "checkout.refund_reversed") minor += amount.minor;
    if (type === "checkout.transfer_recalled") [minor, count] = [minor - amount.minor, count - times];
  }
  return { minor, count };
}

/** Returns the change in whole percent. */
const percentOf = (now: bigint, before: bigint): number => Math.round(Number(((now - before) * 1_000n) / before) / 10);
