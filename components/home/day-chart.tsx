import { scaleBand, scaleLinear } from "d3-scale";
import { Amount } from "#components/ui/amount.tsx";
import { Table } from "#components/ui/table.tsx";
import { formatMoney, type Money } from "#lib/money.ts";
import { ChartReader } from "./chart-reader.tsx";

export interface DayOfPayments {
  /** The day in Lagos: `2026-11-21`. */
  day: string;
  count: number;
  amount: Money;
}

const WIDTH = 600;
const HEIGHT = 96;
/** The least height of a bar, so that a day with small payments is still visible. */
const LEAST_HEIGHT = 2;
const GAP = 0.3;

/** Payments by day in Lagos, oldest first; the last day is today, which has not ended. The table behind the fold has the same values. */
export function DayChart({ days }: { days: readonly DayOfPayments[] }) {
  const readings = days.map((day, at) => ({ day: at === days.length - 1 ? "Today" : longDay(day.day), text: textOf(day) }));
  return (
    <div>
      <ChartReader label="Payments by day" readings={readings}>
        <Bars days={days} />
      </ChartReader>
      <p aria-hidden="true" className="mt-1 flex justify-between text-fact text-muted">
        <span>{shortDay(days[0]?.day ?? "")}</span>
        <span>Today, not over</span>
      </p>
      <details className="mt-2 text-fact">
        <summary className="inline-block rounded-xs py-1 text-muted hover:text-ink">Show the days as a table</summary>
        <div className="mt-2">
          <Table caption="Payments by day" columns={COLUMNS} rows={days.toReversed().map(toRow)} />
        </div>
      </details>
    </div>
  );
}

function Bars({ days }: { days: readonly DayOfPayments[] }) {
  const values = days.map(({ amount }) => Number(amount.minor));
  // Half a gap before the first and after the last bar, so that each day has the same share of the width.
  const x = scaleBand(
    days.map(({ day }) => day),
    [0, WIDTH],
  )
    .paddingInner(GAP)
    .paddingOuter(GAP / 2);
  const y = scaleLinear([0, Math.max(1, ...values)], [0, HEIGHT]);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" className="block h-24 w-full text-brand">
      <defs>
        <pattern id="not-over" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="2" height="5" fill="currentColor" />
        </pattern>
      </defs>
      {days.map(({ day }, at) => {
        const value = values[at] ?? 0;
        const height = value > 0 ? Math.max(LEAST_HEIGHT, y(value)) : 0;
        const isToday = at === days.length - 1;
        return (
          <rect
            key={day}
            {...{ x: x(day), y: HEIGHT - height, width: x.bandwidth(), height }}
            fill={isToday ? "url(#not-over)" : "currentColor"}
            {...(isToday && height > 0 && { stroke: "currentColor", vectorEffect: "non-scaling-stroke" })}
          />
        );
      })}
      <line x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} strokeWidth="2" vectorEffect="non-scaling-stroke" className="stroke-control" />
    </svg>
  );
}

const COLUMNS = [
  { key: "day", label: "Day", grows: true, phone: "name" },
  { key: "count", label: "Payments", figures: true, phone: "state" },
  { key: "amount", label: "Amount", figures: true, phone: "figure" },
] as const;

const toRow = ({ day, count, amount }: DayOfPayments) => ({
  key: day,
  cells: { day: longDay(day), count: paymentsOf(count), amount: <Amount minor={amount.minor} currency={amount.currency} /> },
});

const dayFormat = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
const SHORT = dayFormat({ day: "numeric", month: "short" });
const LONG = dayFormat({ weekday: "short", day: "numeric", month: "short" });
const shortDay = (day: string) => SHORT.format(new Date(day));
const longDay = (day: string) => LONG.format(new Date(day));

/** Returns a number of payments: "1 payment". */
export const paymentsOf = (count: number): string => `${count.toLocaleString("en-GB")} ${count === 1 ? "payment" : "payments"}`;
const textOf = ({ amount, count }: DayOfPayments) => `${formatMoney(amount)} · ${paymentsOf(count)}`;
