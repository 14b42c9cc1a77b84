import type { ReactNode } from "react";
import { Section } from "#components/page/detail.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { ReadyList } from "./ready-list.tsx";

type Items = readonly { text: string; outcome: string }[];

interface SimulatorViewProps {
  tabs: ReactNode;
  customer: ReactNode;
  cards: ReactNode;
  emails: Items;
  phones: Items;
  quantities: Items;
  /** The choice of the sandbox provider for each kind. */
  providers: ReactNode;
}

/** Everything that the sandbox can play: customers, the bank, shops, and the providers of top-ups. */
export function SimulatorView({ tabs, customer, cards, emails, phones, quantities, providers }: SimulatorViewProps) {
  return (
    <>
      <PageHead title="Simulator" />
      {tabs}
      <p className="mb-6 max-w-[72ch] text-muted">Play everyone but yourself. No money moves, and nothing here exists in live mode.</p>
      <div className="flex max-w-[60rem] flex-col gap-8">
        <Section id="customer" title="A customer pays">
          {customer}
        </Section>
        <Section id="shop" title="A shop charges a card">
          {cards}
        </Section>
        <Section id="emails" title="An identity is checked">
          <p className="mb-3 text-muted">Create a cardholder with one of these emails.</p>
          <ReadyList label="Emails" items={emails} />
        </Section>
        <Section id="numbers" title="A top-up is delivered, or not">
          <p className="mb-3 max-w-[72ch] text-muted">
            Buy airtime or data for one of these phones. The last four digits do the same in numbers of meters and smart cards. A late
            answer takes up to a minute.
          </p>
          <ReadyList label="Phone numbers" items={phones} />
        </Section>
        <Section id="quantities" title="Exam pins are delivered, or not">
          <p className="mb-3 text-muted">Buy as many pins.</p>
          <ReadyList label="Quantities" items={quantities} />
        </Section>
        <Section id="providers" title="Who stands behind">
          <p className="mb-3 max-w-[72ch] text-muted">
            The sandbox has more than one kind of some providers, because real ones differ. A choice holds for what you make from now on.
          </p>
          {providers}
        </Section>
      </div>
    </>
  );
}
