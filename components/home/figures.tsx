import { KeyFigure, SideFigure } from "#components/page/key-figure.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { Money } from "#lib/money.ts";
import { DayChart, type DayOfPayments, paymentsOf } from "./day-chart.tsx";

export interface WalletView {
  available: Money;
  held: Money;
  owed: Money;
  href: string;
}

export interface Volume {
  /** The last 30 days, oldest first; the last one is today. */
  days: readonly DayOfPayments[];
  today: { count: number; amount: Money };
  total: { count: number; amount: Money };
  /** "+18 % on the 30 days before". Null where nothing came in then. */
  change: string | null;
  /** False while older payments are still being counted. */
  isComplete: boolean;
}

const amountOf = ({ minor, currency }: Money) => <Amount minor={minor} currency={currency} />;

/** The balances of the wallet. */
export function WalletFigures({ available, held, owed, href }: WalletView) {
  return (
    <div className="flex flex-wrap items-end gap-x-8 gap-y-3">
      <KeyFigure label="Available">{amountOf(available)}</KeyFigure>
      <SideFigure label={held.minor > 0n ? <TextLink href={`${href}#held`}>Held</TextLink> : "Held"}>{amountOf(held)}</SideFigure>
      {owed.minor > 0n && <SideFigure label={<TextLink href={`${href}#owed`}>Owed</TextLink>}>{amountOf(owed)}</SideFigure>}
    </div>
  );
}

/** The money that came in: today, and in 30 days compared to the 30 days before. */
export function VolumeFigures({ days, today, total, change, isComplete }: Volume) {
  return (
    <section aria-label="Payments received">
      <div className="mb-4 flex flex-wrap items-start gap-x-8 gap-y-3">
        <SideFigure label="Received today" note={paymentsOf(today.count)}>
          {amountOf(today.amount)}
        </SideFigure>
        <SideFigure label="Received in 30 days" note={noteOf(total.count, change)}>
          {amountOf(total.amount)}
        </SideFigure>
      </div>
      {!isComplete && (
        <p className="mb-2 text-fact text-muted">Many payments came at once and are still being counted. These figures will grow.</p>
      )}
      {total.count > 0 ? <DayChart days={days} /> : <p className="text-fact text-muted">Nothing came in during the last 30 days.</p>}
    </section>
  );
}

const noteOf = (count: number, change: string | null) => (change === null ? paymentsOf(count) : `${paymentsOf(count)} · ${change}`);
