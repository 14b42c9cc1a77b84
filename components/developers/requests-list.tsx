import type { ReactNode } from "react";
import { type Choice, type Filter, Filters, type FilterValues } from "#components/page/filters.tsx";
import { ListPage, type ListPlace } from "#components/page/list-page.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { StatePill } from "#components/ui/state-pill.tsx";
import { Table } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { ERROR_CODES } from "#lib/problem.ts";

const same = (value: string): Choice => ({ value, label: value });

const FILTERS: readonly Filter[] = [
  {
    ...{ kind: "choice", name: "status", label: "Any status" },
    choices: [
      { value: "succeeded", label: "Succeeded" },
      { value: "failed", label: "Failed" },
      { value: "4xx", label: "Refused (4xx)" },
      { value: "5xx", label: "Our failure (5xx)" },
    ],
  },
  { kind: "choice", name: "method", label: "Any method", choices: ["GET", "POST", "PATCH", "DELETE"].map(same) },
  { kind: "choice", name: "error_code", label: "Any error", choices: ERROR_CODES.map(same) },
  {
    ...{ kind: "choice", name: "caller", label: "Any caller" },
    choices: [
      { value: "key", label: "Your servers" },
      { value: "member", label: "People" },
    ],
  },
  { kind: "days" },
  { kind: "text", name: "path", label: "Path begins with" },
];

/** Returns the filters of the list. `keys` are the merchant's keys, for a reader who may see them. */
export const requestFilters = (keys: readonly Choice[]): readonly Filter[] =>
  keys.length === 0 ? FILTERS : [...FILTERS, { kind: "choice", name: "key_id", label: "Any key", choices: keys }];

export interface RequestRow {
  id: string;
  href: string;
  method: string;
  path: string;
  /** The name of the key or of the member. */
  caller: string;
  status: number;
  errorCode: string | null;
  durationMs: number;
  createdAt: Date;
}

export interface FailureRow {
  key: string;
  /** The list of these failures. */
  href: string;
  code: string;
  endpoint: string;
  count: number;
  lastAt: Date;
}

interface RequestsListProps {
  tabs: ReactNode;
  rows: readonly RequestRow[];
  failures: readonly FailureRow[];
  filters: readonly Filter[];
  values: FilterValues;
  csvHref: string;
  place: ListPlace;
  /** Absent for readers who may not make keys. */
  keysHref: string | undefined;
  now: Date;
}

const COLUMNS = [
  { key: "request", label: "Request", grows: true, phone: "name" },
  { key: "status", label: "Status", phone: "state" },
  { key: "code", label: "Error" },
  { key: "caller", label: "Caller", phone: "note" },
  { key: "took", label: "Took", figures: true, phone: "figure" },
  { key: "at", label: "Time", phone: "time" },
] as const;

/** The API requests of a merchant, newest first, after the failures of the last day. */
export function RequestsList({ tabs, rows, failures, filters, values, csvHref, place, keysHref, now }: RequestsListProps) {
  return (
    <>
      <PageHead title="Requests" />
      {tabs}
      {!place.isFiltered && place.newerHref === undefined && <Failures rows={failures} now={now} />}
      <ListPage
        things="requests"
        filters={<Filters filters={filters} values={values} clearHref={place.clearHref} />}
        csvHref={csvHref}
        place={place}
        isEmpty={rows.length === 0}
        empty={
          <EmptyState action={keysHref && <ButtonLink href={keysHref}>Go to API keys</ButtonLink>}>
            Requests of your servers to the API stand here for 30 days: the path, the status, and the reason of a refusal.
          </EmptyState>
        }
      >
        <Table caption="Requests" columns={COLUMNS} rows={rows.map((row) => toRow(row, now))} />
      </ListPage>
    </>
  );
}

const toRow = ({ id, href, method, path, caller, status, errorCode, durationMs, createdAt }: RequestRow, now: Date) => ({
  key: id,
  href,
  cells: {
    request: (
      <span className="font-mono text-fact">
        {method} {path}
      </span>
    ),
    status: <Status status={status} />,
    code: errorCode ? <span className="font-mono text-fact">{errorCode}</span> : <span className="text-muted">–</span>,
    caller: <bdi className="block truncate sm:max-w-44">{caller}</bdi>,
    took: `${durationMs.toLocaleString("en")} ms`,
    at: <Time at={createdAt} now={now} />,
  },
});

/** The status of an answer. 500 and above is a failure of ours, and 400 and above a refusal. */
export function Status({ status }: { status: number }) {
  const tone = status >= 500 ? "danger" : status >= 400 ? "warning" : "success";
  return <StatePill tone={tone}>{String(status)}</StatePill>;
}

const FAILURE_COLUMNS = [
  { key: "code", label: "Error", grows: true, phone: "name" },
  { key: "endpoint", label: "Endpoint", grows: true, phone: "state" },
  { key: "count", label: "Times", figures: true, phone: "figure" },
  { key: "last", label: "Last", phone: "time" },
] as const;

function Failures({ rows, now }: { rows: readonly FailureRow[]; now: Date }) {
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="failures" className="mb-8">
      <h2 id="failures" className="mb-3 font-semibold">
        Failed in the last 24 hours
      </h2>
      <Table
        caption="Failed in the last 24 hours"
        columns={FAILURE_COLUMNS}
        rows={rows.map(({ key, href, code, endpoint, count, lastAt }) => ({
          key,
          href,
          cells: {
            code: <span className="font-mono text-fact">{code}</span>,
            endpoint: <span className="font-mono text-fact wrap-anywhere whitespace-normal">{endpoint}</span>,
            count: count.toLocaleString("en"),
            last: <Time at={lastAt} now={now} />,
          },
        }))}
      />
    </section>
  );
}
