import type { ReactNode } from "react";
import { type Filter, Filters, type FilterValues } from "#components/page/filters.tsx";
import { ListPage, type ListPlace } from "#components/page/list-page.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { CopyId } from "#components/ui/copy-id.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Table } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { EVENT_WORDS } from "./words.ts";

export const EVENT_FILTERS: readonly Filter[] = [
  {
    ...{ kind: "choice", name: "type", label: "Any event" },
    choices: Object.entries(EVENT_WORDS).map(([value, label]) => ({ value, label })),
  },
  { kind: "days" },
  { kind: "text", name: "resource", label: "Reference or id" },
];

export interface EventRow {
  id: string;
  href: string;
  type: keyof typeof EVENT_WORDS;
  /** The id or reference of the event's subject. */
  about: string | undefined;
  sequence: string;
  createdAt: Date;
}

interface EventsListProps {
  tabs: ReactNode;
  rows: readonly EventRow[];
  values: FilterValues;
  csvHref: string;
  place: ListPlace;
  linksHref: string;
  now: Date;
}

const COLUMNS = [
  { key: "event", label: "Event", grows: true, phone: "name" },
  { key: "type", label: "Type", phone: "state" },
  { key: "about", label: "About", phone: "figure" },
  { key: "sequence", label: "Sequence", figures: true },
  { key: "at", label: "Time", phone: "time" },
] as const;

/** The events of a merchant, newest first. */
export function EventsList({ tabs, rows, values, csvHref, place, linksHref, now }: EventsListProps) {
  return (
    <>
      <PageHead title="Events" />
      {tabs}
      <ListPage
        things="events"
        filters={<Filters filters={EVENT_FILTERS} values={values} clearHref={place.clearHref} />}
        csvHref={csvHref}
        place={place}
        isEmpty={rows.length === 0}
        empty={
          <EmptyState action={<ButtonLink href={linksHref}>Go to payment links</ButtonLink>}>
            Each payment, card and top-up makes events. They stand here, and your webhook endpoints get them.
          </EmptyState>
        }
      >
        <Table caption="Events" columns={COLUMNS} rows={rows.map((row) => toRow(row, now))} />
      </ListPage>
    </>
  );
}

const toRow = ({ id, href, type, about, sequence, createdAt }: EventRow, now: Date) => ({
  key: id,
  href,
  cells: {
    event: EVENT_WORDS[type],
    type: <span className="font-mono text-fact">{type}</span>,
    about: about ? <CopyId id={about} what="reference" /> : <span className="text-muted">–</span>,
    sequence,
    at: <Time at={createdAt} now={now} />,
  },
});
