import { type Filter, Filters, type FilterValues } from "#components/page/filters.tsx";
import { ListPage, type ListPlace } from "#components/page/list-page.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { StatePill } from "#components/ui/state-pill.tsx";
import { Table } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { DevelopersTabs } from "./developers-tabs.tsx";

export const REQUEST_FILTERS: readonly Filter[] = [
  {
    ...{ kind: "choice", name: "status", label: "Any status" },
    choices: [
      { value: "failed", label: "Failed" },
      { value: "4xx", label: "Refused (4xx)" },
      { value: "5xx", label: "Failed here (5xx)" },
      { value: "succeeded", label: "Succeeded" },
    ],
  },
  { kind: "choice", name: "method", label: "Any method", choices: ["GET", "POST", "PATCH", "DELETE"].map((value) => ({ value, label: value })) },
  {
    ...{ kind: "choice", name: "caller", label: "Any caller" },
    choices: [
      { value: "key", label: "Your servers" },
      { value: "member", label: "Members" },
    ],
  },
  { kind: "days" },
  { kind: "text", name: "path", label: "Path begins with" },
  { kind: "text", name: "error_code", label: "Error code" },
];

export interface RequestRow {
  id: string;
  href: string;
  method: string;
  path: string;
  status: number;
  errorCode: string | null;
  durationMs: number;
  createdAt: Date;
}

export interface FailureRow {
  key: string;
  href: string;
  code: string;
  endpoint: string;
  count: number;
  lastAt: Date;
}

interface RequestsListProps {
  rows: readonly RequestRow[];
  failures: readonly FailureRow[];
  values: FilterValues;
  place: ListPlace;
  path: string;
  now: Date;
}

const COLUMNS = [
  { key: "what", label: "Request", grows: true, phone: "name" },
  { key: "status", label: "Status", phone: "state" },
  { key: "code", label: "Error", grows: true },
  { key: "took", label: "Took", figures: true },
  { key: "at", label: "Time", phone: "time" },
] as const;

/** The API's calls of a merchant, newest first, and its servers' failures of the last day. */
export function RequestsList({ rows, failures, values, place, path, now }: RequestsListProps) {
  return (
    <>
      <PageHead title="Requests" />
      <DevelopersTabs path={path} current="requests" />
      {!place.isFiltered && <Failures rows={failures} now={now} />}
      <ListPage
        things="requests"
        filters={<Filters filters={REQUEST_FILTERS} values={values} clearHref={place.clearHref} />}
        place={place}
        isEmpty={rows.length === 0}
        empty={<EmptyState>Each call of your servers stands here for 30 days: its path, its status, and what was wrong with it.</EmptyState>}
      >
        <Table caption="Requests" columns={COLUMNS} rows={rows.map((row) => toRow(row, now))} />
      </ListPage>
    </>
  );
}

const toRow = ({ id, href, method, path, status, errorCode, durationMs, createdAt }: RequestRow, now: Date) => ({
  key: id,
  href,
  cells: {
    what: `${method} ${path}`,
    status: <Status status={status} />,
    code: errorCode ?? <span className="text-muted">–</span>,
    took: `${durationMs} ms`,
    at: <Time at={createdAt} now={now} />,
  },
});

/** The status of an answer: 500 and above failed here, and 400 and above was refused. */
export function Status({ status }: { status: number }) {
  const tone = status >= 500 ? "danger" : status >= 400 ? "warning" : "success";
  return <StatePill tone={tone}>{String(status)}</StatePill>;
}

const FAILURE_COLUMNS = [
  { key: "code", label: "Error", grows: true, phone: "name" },
  { key: "endpoint", label: "Endpoint", grows: true },
  { key: "count", label: "Times", figures: true, phone: "figure" },
  { key: "last", label: "Last", phone: "time" },
] as const;

function Failures({ rows, now }: { rows: readonly FailureRow[]; now: Date }) {
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="failures" className="mb-8">
      <h2 id="failures" className="mb-3 font-semibold">
        What failed within a day
      </h2>
      <Table
        caption="What failed within a day"
        columns={FAILURE_COLUMNS}
        rows={rows.map(({ key, href, code, endpoint, count, lastAt }) => ({
          key,
          href,
          cells: { code, endpoint, count: count.toLocaleString("en"), last: <Time at={lastAt} now={now} /> },
        }))}
      />
    </section>
  );
}
