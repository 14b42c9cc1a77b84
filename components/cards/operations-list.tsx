import { type Filter, Filters, type FilterValues } from "#components/page/filters.tsx";
import { ListPage, type ListPlace } from "#components/page/list-page.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { choicesOf, OPERATION_STATES, State } from "#components/page/states.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Table } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Money } from "#lib/money.ts";
import { CardsTabs, NoAction } from "./cards-tabs.tsx";
import { choicesOfWords, OPERATION_TYPES } from "./words.ts";

export const OPERATION_FILTERS: readonly Filter[] = [
  { kind: "choice", name: "type", label: "Any kind", choices: choicesOfWords(OPERATION_TYPES) },
  { kind: "choice", name: "status", label: "Any state", choices: choicesOf(OPERATION_STATES) },
  { kind: "days" },
];

export interface OperationRow {
  id: string;
  href: string;
  title: string;
  card: string;
  status: keyof typeof OPERATION_STATES;
  /** Why it failed. */
  why: string | null;
  /** Null where no dollars move. */
  amount: Money | null;
  /** Null where no Naira move. */
  walletAmount: Money | null;
  createdAt: Date;
}

interface OperationsListProps {
  rows: readonly OperationRow[];
  values: FilterValues;
  place: ListPlace;
  path: string;
  csvHref: string;
  now: Date;
}

const COLUMNS = [
  { key: "title", label: "What", grows: true, phone: "name" },
  { key: "card", label: "Card", grows: true },
  { key: "wallet", label: "Wallet", grows: true },
  { key: "state", label: "State", phone: "state" },
  { key: "amount", label: "Dollars", figures: true, phone: "figure" },
  { key: "time", label: "Time", phone: "time" },
] as const;

/** The operations on all cards, also those that failed, newest first. */
export function OperationsList({ rows, values, place, path, csvHref, now }: OperationsListProps) {
  return (
    <>
      <PageHead title="Card money" actions={<NoAction />} />
      <CardsTabs path={path} current="operations" />
      <ListPage
        things="card operations"
        filters={<Filters filters={OPERATION_FILTERS} values={values} clearHref={place.clearHref} />}
        csvHref={csvHref}
        place={place}
        isEmpty={rows.length === 0}
        empty={
          <EmptyState action={<ButtonLink href={path}>Go to cards</ButtonLink>}>
            Each time that you issue, fund, unload, freeze or terminate a card, it stands here, also when it failed.
          </EmptyState>
        }
      >
        <Table caption="Card money" columns={COLUMNS} rows={rows.map((row) => toRow(row, now))} />
      </ListPage>
    </>
  );
}

const toRow = ({ id, href, title, card, status, why, amount, walletAmount, createdAt }: OperationRow, now: Date) => ({
  key: id,
  href,
  cells: {
    title: (
      <>
        {title}
        <span className="font-normal text-muted wide:hidden"> · {card}</span>
      </>
    ),
    card,
    state: <State of={OPERATION_STATES[status]} />,
    wallet:
      why ?? (walletAmount ? <Amount minor={walletAmount.minor} currency={walletAmount.currency} signed={status === "completed"} /> : ""),
    amount: amount ? <Amount minor={amount.minor} currency={amount.currency} signed={status === "completed"} /> : "",
    time: <Time at={createdAt} now={now} />,
  },
});
