import type { ReactNode } from "react";
import { type Choice, type Filter, Filters, type FilterValues } from "#components/page/filters.tsx";
import { ListPage, type ListPlace } from "#components/page/list-page.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { CopyId } from "#components/ui/copy-id.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Table } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { AUDIT_AREA_WORDS } from "./audit-words.ts";

/** Returns the filters of the log. `people` are the members. */
export const auditFilters = (people: readonly Choice[]): readonly Filter[] => [
  {
    ...{ kind: "choice", name: "by", label: "By anybody" },
    choices: [...people, { value: "api", label: "Your servers" }, { value: "service", label: "The people who run this service" }],
  },
  {
    ...{ kind: "choice", name: "about", label: "About anything" },
    choices: Object.entries(AUDIT_AREA_WORDS).map(([value, label]) => ({ value, label })),
  },
  { kind: "days" },
  { kind: "text", name: "subject", label: "Id of a thing" },
];

export interface AuditRow {
  key: string;
  href: string;
  act: string;
  by: string;
  subject: string;
  /** Null for acts without a request of the merchant's. */
  address: string | null;
  at: Date;
}

interface AuditListProps {
  tabs: ReactNode;
  rows: readonly AuditRow[];
  filters: readonly Filter[];
  values: FilterValues;
  csvHref: string;
  place: ListPlace;
  now: Date;
}

const COLUMNS = [
  { key: "act", label: "What", grows: true, phone: "name" },
  { key: "by", label: "Who", grows: true, phone: "state" },
  { key: "subject", label: "Thing" },
  { key: "address", label: "From" },
  { key: "at", label: "Time", phone: "time" },
] as const;

/** The audit log of the business, newest first. */
export function AuditList({ tabs, rows, filters, values, csvHref, place, now }: AuditListProps) {
  return (
    <>
      <PageHead title="Audit log" />
      {tabs}
      <ListPage
        things="entries"
        filters={<Filters filters={filters} values={values} clearHref={place.clearHref} />}
        csvHref={csvHref}
        place={place}
        isEmpty={rows.length === 0}
        empty={<EmptyState>Changes of keys, webhooks, the brand and the team stand here, with who made them and from where.</EmptyState>}
      >
        <Table
          caption="Audit log"
          columns={COLUMNS}
          rows={rows.map(({ key, href, act, by, subject, address, at }) => ({
            key,
            href,
            cells: {
              act,
              by: <bdi>{by}</bdi>,
              subject: <CopyId id={subject} />,
              address: address ?? <span className="text-muted">–</span>,
              at: <Time at={at} now={now} />,
            },
          }))}
        />
      </ListPage>
    </>
  );
}
