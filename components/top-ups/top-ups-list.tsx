import { type Filter, Filters, type FilterValues } from "#components/page/filters.tsx";
import { ListPage, type ListPlace } from "#components/page/list-page.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { choicesOf, PURCHASE_STATES, State } from "#components/page/states.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { RowName } from "#components/ui/row-name.tsx";
import { Table } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Money } from "#lib/money.ts";
import { KINDS, KindLinks } from "./kinds.tsx";

export const TOP_UP_FILTERS: readonly Filter[] = [
  { kind: "choice", name: "service", label: "Any kind", choices: KINDS.map(({ service, label }) => ({ value: service, label })) },
  { kind: "choice", name: "status", label: "Any state", choices: choicesOf(PURCHASE_STATES) },
  { kind: "days" },
  { kind: "text", name: "recipient", label: "Phone, meter, card" },
];

export interface TopUpRow {
  href: string;
  reference: string;
  what: string;
  recipient: string | null;
  status: keyof typeof PURCHASE_STATES;
  amount: Money;
  /** The refunded part of a delivered purchase. */
  refunded: Money | undefined;
  createdAt: Date;
}

interface TopUpsListProps {
  rows: readonly TopUpRow[];
  values: FilterValues;
  place: ListPlace;
  /** The address of the list. */
  href: string;
  /** Why the reader cannot buy. */
  closed: string | undefined;
  csvHref: string;
  now: Date;
}

const COLUMNS = [
  { key: "what", label: "What", grows: true, phone: "name" },
  { key: "recipient", label: "For", grows: true },
  { key: "state", label: "State", phone: "state" },
  { key: "amount", label: "Amount", figures: true, phone: "figure" },
  { key: "bought", label: "Bought", phone: "time" },
] as const;

/** The purchases of a merchant, newest first, below the links to the purchase pages. */
export function TopUpsList({ rows, values, place, href, closed, csvHref, now }: TopUpsListProps) {
  return (
    <>
      <PageHead title="Top-ups" figures={closed ? <Notice>{closed}</Notice> : <KindLinks base={href} />} />
      <ListPage
        things="top-ups"
        filters={<Filters filters={TOP_UP_FILTERS} values={values} clearHref={place.clearHref} />}
        csvHref={csvHref}
        place={place}
        isEmpty={rows.length === 0}
        empty={
          <EmptyState
            action={
              !closed && (
                <ButtonLink variant="primary" href={`${href}/airtime`}>
                  Buy airtime
                </ButtonLink>
              )
            }
          >
            Airtime, data, light, cable TV and exam pins that you buy stand here, newest first, each with its receipt.
          </EmptyState>
        }
      >
        <Table caption="Top-ups" columns={COLUMNS} rows={rows.map((row) => toRow(row, now))} />
      </ListPage>
    </>
  );
}

const toRow = ({ href, reference, what, recipient, status, amount, refunded, createdAt }: TopUpRow, now: Date) => ({
  key: reference,
  href,
  cells: {
    what: <RowName end={recipient}>{what}</RowName>,
    recipient: recipient ? <span className="tabular-nums">{recipient}</span> : <span className="text-muted">–</span>,
    state: (
      <>
        <State of={PURCHASE_STATES[status]} />
        {refunded && <span className="ml-2 text-muted">in part</span>}
      </>
    ),
    amount: <Amount minor={amount.minor} currency={amount.currency} />,
    bought: <Time at={createdAt} now={now} />,
  },
});
