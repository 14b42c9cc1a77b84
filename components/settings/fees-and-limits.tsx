import type { ReactNode } from "react";
import { Section } from "#components/page/detail.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { Table } from "#components/ui/table.tsx";

export interface Term {
  key: string;
  what: string;
  value: string;
  /** Whether it applies to all businesses or to this one. */
  from: string;
}

interface FeesAndLimitsProps {
  tabs: ReactNode;
  fees: readonly Term[];
  rates: readonly Term[];
  limits: readonly Term[];
}

const COLUMNS = [
  { key: "what", label: "What", grows: true, phone: "name" },
  { key: "value", label: "As it applies now", figures: true, phone: "state" },
  { key: "from", label: "Set for", grows: true, phone: "time" },
] as const;

/** The page with the fees, exchange rates and limits of the business. */
export function FeesAndLimits({ tabs, fees, rates, limits }: FeesAndLimitsProps) {
  return (
    <>
      <PageHead title="Fees and limits" />
      {tabs}
      <div className="flex max-w-[60rem] flex-col gap-8">
        <Terms id="fees" title="Fees" terms={fees} />
        <Terms id="rates" title="Rates" terms={rates} />
        <Terms id="limits" title="Limits" terms={limits} />
      </div>
    </>
  );
}

const toRow = ({ key, what, value, from }: Term) => ({
  key,
  cells: {
    what: <span className="max-sm:whitespace-normal">{what}</span>,
    value: <span className="max-sm:font-medium max-sm:whitespace-normal">{value}</span>,
    from,
  },
});

const Terms = ({ id, title, terms }: { id: string; title: string; terms: readonly Term[] }) => (
  <Section id={id} title={title}>
    <Table caption={title} columns={COLUMNS} rows={terms.map(toRow)} />
  </Section>
);
