import type { Volume } from "#components/home/figures.tsx";
import { type Money, money } from "#lib/money.ts";
import { DAY_MS } from "#lib/time.ts";
import type { Figures } from "#services/figures/index.ts";

const DAYS = 30;

/** Returns a day so many days before another: `2026-11-21`. */
const daysBefore = (day: string, count: number): string => new Date(Date.parse(day) - count * DAY_MS).toISOString().slice(0, 10);

/** Returns the days that `toVolume` needs: 30 up to today, and the 30 before. */
export const daysOfVolume = (today: string) => ({ from: daysBefore(today, 2 * DAYS - 1), to: today });

/** Returns what came in by payment links, by day and in sum. */
export function toVolume({ figures, isComplete }: Figures, today: string): Volume {
  const received = figures.filter(({ source, type }) => source === "wallet" && type === "payment_link");
  const byDay = new Map(received.map((figure) => [figure.day, figure]));
  const dayOf = (day: string) => ({ day, count: byDay.get(day)?.count ?? 0, amount: byDay.get(day)?.amount ?? naira(0n) });
  const daysUpTo = (last: string) => Array.from({ length: DAYS }, (_, at) => dayOf(daysBefore(last, DAYS - 1 - at)));
  const days = daysUpTo(today);
  const total = sumOf(days);
  return {
    days,
    today: dayOf(today),
    total,
    change: changeBetween(sumOf(daysUpTo(daysBefore(today, DAYS))).amount, total.amount),
    isComplete,
  };
}

const naira = (kobo: bigint): Money => money(kobo, "NGN");

const sumOf = (days: readonly { count: number; amount: Money }[]) => ({
  count: days.reduce((sum, { count }) => sum + count, 0),
  amount: naira(days.reduce((sum, { amount }) => sum + amount.minor, 0n)),
});

/** Returns a change in whole percent with its sign: "+18 % on the 30 days before". Null where there is nothing to compare with. */
function changeBetween({ minor: before }: Money, { minor: after }: Money): string | null {
  if (before <= 0n) return null;
  const percent = Math.round((Number(after - before) / Number(before)) * 100);
  if (percent === 0) return "as much as in the 30 days before";
  return `${percent > 0 ? "+" : "\u2212"}${Math.abs(percent).toLocaleString("en-GB")} % on the 30 days before`;
}
