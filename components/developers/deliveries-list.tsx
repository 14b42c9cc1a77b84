import type { ReactNode } from "react";
import { type Choice, type Filter, Filters, type FilterValues } from "#components/page/filters.tsx";
import { ListPage, type ListPlace } from "#components/page/list-page.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { choicesOf, DELIVERY_STATES, State } from "#components/page/states.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Table } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { EVENT_WORDS } from "./words.ts";

/** The statuses of the API. It has one status for deliveries that wait, whether for the first attempt or for another one. */
const { pending: PENDING, retrying: RETRYING, ...FINAL } = DELIVERY_STATES;
const STATUSES = [{ value: "pending", label: `${PENDING.word} or ${RETRYING.word.toLowerCase()}` }, ...choicesOf(FINAL)];

const FILTERS: readonly Filter[] = [
  { kind: "choice", name: "status", label: "Any state", choices: STATUSES },
  {
    ...{ kind: "choice", name: "answer", label: "Any answer" },
    choices: [
      { value: "2xx", label: "Success (2xx)" },
      { value: "3xx", label: "Redirect (3xx)" },
      { value: "4xx", label: "Refusal (4xx)" },
      { value: "5xx", label: "Error (5xx)" },
      { value: "none", label: "No answer" },
    ],
  },
  {
    ...{ kind: "choice", name: "event_type", label: "Any event" },
    choices: [...Object.entries(EVENT_WORDS).map(([value, label]) => ({ value, label })), { value: "webhook.test", label: "Test event" }],
  },
  { kind: "days" },
];

/** Returns the filters of the list. `endpoints` are the merchant's. */
export const deliveryFilters = (endpoints: readonly Choice[]): readonly Filter[] =>
  endpoints.length < 2 ? FILTERS : [{ kind: "choice", name: "endpoint_id", label: "Any endpoint", choices: endpoints }, ...FILTERS];

export interface DeliveryRow {
  id: string;
  href: string;
  /** The event, in words. */
  event: string;
  state: keyof typeof DELIVERY_STATES;
  /** The time of the next attempt. Undefined if no attempt follows, or if the attempt is due at once. */
  nextTryAt: Date | undefined;
  /** The result of the last attempt: "500", "No answer". */
  answer: string | undefined;
  attempts: number;
  /** The address of the endpoint, without its path. */
  host: string;
  createdAt: Date;
}

interface DeliveriesListProps {
  tabs: ReactNode;
  rows: readonly DeliveryRow[];
  filters: readonly Filter[];
  values: FilterValues;
  csvHref: string;
  place: ListPlace;
  webhooksHref: string;
  /** Wraps the rows and lets the reader choose some to resend. Absent for readers who may not. */
  chooser: ((table: ReactNode) => ReactNode) | undefined;
  now: Date;
}

/** The deliveries to a merchant's endpoints, those of the newest events first. */
export function DeliveriesList({ tabs, rows, filters, values, csvHref, place, webhooksHref, chooser, now }: DeliveriesListProps) {
  return (
    <>
      <PageHead title="Deliveries" />
      {tabs}
      <ListPage
        things="deliveries"
        filters={<Filters filters={filters} values={values} clearHref={place.clearHref} />}
        csvHref={csvHref}
        place={place}
        isEmpty={rows.length === 0}
        empty={
          <EmptyState action={<ButtonLink href={webhooksHref}>Go to webhooks</ButtonLink>}>
            Each event that is sent to one of your webhook endpoints is a delivery, and stands here with the answer.
          </EmptyState>
        }
      >
        {chooser ? chooser(<DeliveriesTable rows={rows} hasChoice now={now} />) : <DeliveriesTable rows={rows} now={now} />}
      </ListPage>
    </>
  );
}

const COLUMNS = [
  { key: "choice", label: "Choose", phone: "choice" },
  { key: "event", label: "Event", grows: true, phone: "name" },
  { key: "state", label: "State", phone: "state" },
  { key: "answer", label: "Last answer", phone: "figure" },
  { key: "host", label: "Endpoint", grows: true, phone: "note" },
  { key: "attempts", label: "Tries", figures: true },
  { key: "at", label: "Event of", phone: "time" },
] as const;

/** Deliveries. With `hasChoice` each has a box, for the form around. */
export function DeliveriesTable({ rows, hasChoice = false, now }: { rows: readonly DeliveryRow[]; hasChoice?: boolean; now: Date }) {
  return (
    <Table
      caption="Deliveries"
      columns={hasChoice ? COLUMNS : COLUMNS.slice(1)}
      rows={rows.map(({ id, href, event, state, nextTryAt, answer, attempts, host, createdAt }) => ({
        key: id,
        href,
        cells: {
          event,
          state: <DeliveryState {...{ state, nextTryAt, now }} />,
          answer: <Answer of={answer} />,
          host,
          attempts: String(attempts),
          at: <Time at={createdAt} now={now} />,
          choice: (
            <label className="relative z-1 inline-grid size-11 place-items-center sm:size-6">
              <input
                type="checkbox"
                name="delivery"
                value={id}
                aria-label={`Choose ${event} to ${host}`}
                className="size-[1.125rem] accent-brand"
              />
            </label>
          ),
        },
      }))}
    />
  );
}

/** The state of a delivery, and when it is tried again. */
export const DeliveryState = ({ state, nextTryAt, now }: Pick<DeliveryRow, "state" | "nextTryAt"> & { now: Date }) => (
  <span className="inline-flex flex-wrap items-center gap-x-2 whitespace-normal">
    <State of={DELIVERY_STATES[state]} />
    {nextTryAt && (
      <span className="text-fact whitespace-nowrap text-muted">
        Next try <Time at={nextTryAt} now={now} />
      </span>
    )}
  </span>
);

/** A phone does not show the column's name, so the word "Answered" stands before the status there. */
function Answer({ of }: { of: string | undefined }) {
  if (of === undefined) return <span className="text-muted max-sm:hidden">–</span>;
  return (
    <>
      {/^\d/.test(of) && <span className="font-normal text-muted sm:hidden">Answer </span>}
      {of}
    </>
  );
}
