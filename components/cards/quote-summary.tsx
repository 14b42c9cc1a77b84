"use client";

import { type ReactNode, useEffect, useState } from "react";

interface Line {
  label: string;
  value: string;
  /** The earlier value, if it differs. */
  was?: string | undefined;
}

interface QuoteSummaryProps {
  lines: readonly Line[];
  /** The end of the rate's validity. */
  validUntil: string;
  note?: ReactNode;
}

/** The summary of a quote: amounts paid and received, rate, fee and the balance after it. A changed line shows its earlier value. */
export function QuoteSummary({ lines, validUntil, note }: QuoteSummaryProps) {
  const hasChanged = lines.some(({ was }) => was !== undefined);
  return (
    <div className="rounded-control border border-line px-4 py-3">
      <p role="status" className={hasChanged ? "mb-2 font-medium text-warning" : "sr-only"}>
        {hasChanged && "The price has changed. Look at it before you go on."}
      </p>
      <dl className="flex flex-col gap-1.5">
        {lines.map(({ label, value, was }) => (
          <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt className="text-muted">{label}</dt>
            <dd className="text-right font-medium tabular-nums">
              {was !== undefined && <span className="mr-2 font-normal text-warning">was {was}</span>}
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <ValidFor until={validUntil} />
      {note}
    </div>
  );
}

const COUNTS_FROM_S = 600;
const SECOND_MS = 1_000;

/** Counts down in the last ten minutes. Its ticking is silent for screen readers: the price is read anew at its end. */
function ValidFor({ until }: { until: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const left = Math.ceil((Date.parse(until) - now) / SECOND_MS);
  // A computer whose clock is wrong gets no countdown.
  if (left <= 0 || left > 86_400) return null;
  const text =
    left > COUNTS_FROM_S
      ? `until ${HOUR.format(new Date(until))} in Lagos`
      : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return (
    <p className="mt-2 text-fact text-muted">
      Rate valid <span className="tabular-nums">{text}</span>
    </p>
  );
}

const HOUR = new Intl.DateTimeFormat("en-GB", { timeZone: "Africa/Lagos", hour: "2-digit", minute: "2-digit" });
