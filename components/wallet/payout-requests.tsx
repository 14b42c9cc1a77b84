import type { ReactNode } from "react";
import { Section } from "#components/page/detail.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Money } from "#lib/money.ts";

export interface RequestRow {
  id: string;
  to: string;
  amount: Money;
  madeBy: string;
  createdAt: Date;
  /** The buttons, or who may decide. */
  actions: ReactNode;
}

/** Payouts that wait for a second person. */
export function PayoutRequests({ requests, now }: { requests: readonly RequestRow[]; now: Date }) {
  return (
    <div className="mb-8">
      <Section id="requests" title="Wait for a second person">
        <ul className="divide-y divide-line rounded-panel border border-line bg-surface">
          {requests.map(({ id, to, amount, madeBy, createdAt, actions }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
              <div className="min-w-0 grow basis-64">
                <p className="font-medium wrap-anywhere">
                  <Amount minor={amount.minor} currency={amount.currency} /> to {to}
                </p>
                <p className="text-fact text-muted wrap-anywhere">
                  Asked for by {madeBy}, <Time at={createdAt} now={now} />. No money is set aside for it.
                </p>
              </div>
              <div className="flex flex-wrap gap-2">{actions}</div>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
