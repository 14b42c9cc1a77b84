import { type Filter, Filters, type FilterValues } from "#components/page/filters.tsx";
import { ListPage, type ListPlace } from "#components/page/list-page.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { StatePill } from "#components/ui/state-pill.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Table } from "#components/ui/table.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
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
  { key: "took", label: "Took", align: "right" },
  { key: "at", label: "Time", phone: "time" },
] as const;
