"use client";

import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from "react";

interface ChartReaderProps {
  label: string;
  /** The value of each bar, in the order of the bars. */
  readings: readonly { day: string; text: string }[];
  /** The chart: bars of equal shares of its width. */
  children: ReactNode;
}

/** Shows the value of the bar under the pointer or chosen by the arrow keys, otherwise the label of the chart. */
export function ChartReader({ label, readings, children }: ChartReaderProps) {
  const [chosen, setChosen] = useState<number>();
  const last = readings.length - 1;
  const at = Math.min(chosen ?? last, last);
  const reading = readings[at];
  const forget = () => setChosen(undefined);
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setChosen(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * readings.length))));
  };
  const move = (event: KeyboardEvent) => {
    const next = nextOf(event.key, at, last);
    if (next === undefined) return;
    event.preventDefault();
    setChosen(next);
  };
  if (!reading) return children;
  return (
    <>
      <p aria-hidden="true" className="mb-2 min-h-5 text-fact tabular-nums max-[24rem]:min-h-10">
        <span className="text-muted">{chosen === undefined ? label : reading.day}</span>{" "}
        {chosen !== undefined && <span className="font-medium">{reading.text}</span>}
      </p>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={`${reading.day}: ${reading.text}`}
        onKeyDown={move}
        onFocus={() => setChosen((before) => before ?? last)}
        onBlur={forget}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={forget}
        className="relative touch-pan-y rounded-xs"
      >
        {children}
        {chosen !== undefined && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 border-x border-control bg-ink/5"
            style={{ left: `${(at / readings.length) * 100}%`, width: `${100 / readings.length}%` }}
          />
        )}
      </div>
    </>
  );
}

function nextOf(key: string, at: number, last: number): number | undefined {
  switch (key) {
    case "ArrowLeft":
    case "ArrowDown":
      return Math.max(0, at - 1);
    case "ArrowRight":
    case "ArrowUp":
      return Math.min(last, at + 1);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}
