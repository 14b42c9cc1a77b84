import type { ReactNode } from "react";

export interface Fact {
  label: string;
  value: ReactNode;
}

/** The facts of a record, as labels and values. Facts without a value are left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="flex flex-col gap-3 text-fact">
      {facts
        .filter(({ value }) => value !== null && value !== undefined && value !== "")
        .map(({ label, value }) => (
          <div key={label}>
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
