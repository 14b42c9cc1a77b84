import type { ReactNode } from "react";
import { Section } from "#components/page/detail.tsx";
import { ListPage, type ListPlace } from "#components/page/list-page.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { BULK_ORDER_STATES, State } from "#components/page/states.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { Table } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Money } from "#lib/money.ts";

export interface BulkOrderRow {
  id: string;
  href: string;
  title: string;
  status: keyof typeof BULK_ORDER_STATES;
  progress: string;
  amount: Money;
  createdAt: Date;
}

interface BulkOrdersProps {
  rows: readonly BulkOrderRow[];
  place: ListPlace;
  topUpsHref: string;
  /** The upload form, or the reason why the reader cannot upload. */
  upload: ReactNode;
  now: Date;
}

const COLUMNS = [
  { key: "title", label: "File", grows: true, phone: "name" },
  { key: "progress", label: "Rows", grows: true },
  { key: "state", label: "State", phone: "state" },
  { key: "amount", label: "Amount", figures: true, phone: "figure" },
  { key: "created", label: "Uploaded", phone: "time" },
] as const;

/** Files of top-ups, newest first, under the form that takes another. */
export function BulkOrders({ rows, place, topUpsHref, upload, now }: BulkOrdersProps) {
  return (
    <>
      <PageHead title="Buy many at once" back={{ href: topUpsHref, label: "Top-ups" }} />
      <div className="flex flex-col gap-8">
        {upload}
        <Section id="files" title="Your files">
          <ListPage
            things="files"
            place={place}
            isEmpty={rows.length === 0}
            empty={<p className="text-muted">Files that you upload stand here.</p>}
          >
            <Table caption="Files of top-ups" columns={COLUMNS} rows={rows.map((row) => toRow(row, now))} />
          </ListPage>
        </Section>
      </div>
    </>
  );
}

const toRow = ({ id, href, title, status, progress, amount, createdAt }: BulkOrderRow, now: Date) => ({
  key: id,
  href,
  cells: {
    title,
    progress: <span className="text-muted">{progress}</span>,
    state: <State of={BULK_ORDER_STATES[status]} />,
    amount: <Amount minor={amount.minor} currency={amount.currency} />,
    created: <Time at={createdAt} now={now} />,
  },
});
