import type { ReactNode } from "react";
import { Section } from "#components/page/detail.tsx";
import { State, type StateWords } from "#components/page/states.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Money } from "#lib/money.ts";

export interface RefundRow {
  id: string;
  amount: Money;
  state: StateWords;
  /** What became of it, or what it waits for: a sentence. */
  text: string;
  reason: string | null;
  madeBy: string;
  createdAt: Date;
  /** The buttons, or who may decide. */
  actions: ReactNode;
}

/** The refunds of a payment, newest first. */
export function Refunds({ refunds, now }: { refunds: readonly RefundRow[]; now: Date }) {
  return (
    <Section id="refunds" title="Refunds">
      <ul className="divide-y divide-line rounded-panel border border-line bg-surface">
        {refunds.map(({ id, amount, state, text, reason, madeBy, createdAt, actions }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
            <div className="min-w-0 grow basis-64">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
                <Amount minor={amount.minor} currency={amount.currency} />
                <State of={state} />
              </p>
              <p className="text-fact wrap-anywhere">{text}</p>
              <p className="text-fact text-muted wrap-anywhere">
                {madeBy}, <Time at={createdAt} now={now} />
                {reason && <>. Reason: {reason}</>}
              </p>
            </div>
            {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
