import type { ReactNode } from "react";
import { type Filter, Filters, type FilterValues } from "#components/page/filters.tsx";
import { ListPage, type ListPlace } from "#components/page/list-page.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { CARD_STATES, choicesOf, State } from "#components/page/states.tsx";
import { PrimaryAction } from "#components/shell/primary-action.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { RowName } from "#components/ui/row-name.tsx";
import { Table } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Money } from "#lib/money.ts";
import { CardsTabs, NoAction } from "./cards-tabs.tsx";
import { BRANDS } from "./words.ts";

export const CARD_FILTERS: readonly Filter[] = [
  { kind: "choice", name: "status", label: "Any state", choices: choicesOf(CARD_STATES) },
  { kind: "days" },
];

export interface CardRow {
  id: string;
  href: string;
  nickname: string | null;
  brand: keyof typeof BRANDS;
  last4: string | null;
  holder: string;
  status: keyof typeof CARD_STATES;
  balance: Money;
  createdAt: Date;
}

interface CardsListProps {
  rows: readonly CardRow[];
  values: FilterValues;
  place: ListPlace;
  /** The path of the cards. */
  path: string;
  /** The button for a first or a further card, or the reason why the reader cannot issue one. */
  create: ReactNode;
  csvHref: string;
  now: Date;
}

/** The cards of a merchant, newest first. */
export function CardsList({ rows, values, place, path, create, csvHref, now }: CardsListProps) {
  const isEmpty = rows.length === 0;
  const isFirst = isEmpty && !place.isFiltered && place.newerHref === undefined;
  return (
    <>
      <PageHead title="Cards" actions={create && !isFirst ? <PrimaryAction>{create}</PrimaryAction> : <NoAction />} />
      <CardsTabs path={path} current="cards" />
      <ListPage
        things="cards"
        filters={<Filters filters={CARD_FILTERS} values={values} clearHref={place.clearHref} />}
        csvHref={csvHref}
        place={place}
        isEmpty={isEmpty}
        empty={
          <EmptyState action={create}>
            A virtual dollar card belongs to one cardholder, and is funded from your wallet. Cards that you issue stand here.
          </EmptyState>
        }
      >
        <CardsTable rows={rows} now={now} />
      </ListPage>
    </>
  );
}

const COLUMNS = [
  { key: "card", label: "Card", grows: true, phone: "name" },
  { key: "number", label: "Number", grows: true },
  { key: "holder", label: "Cardholder", grows: true },
  { key: "state", label: "State", phone: "state" },
  { key: "balance", label: "Balance", figures: true, phone: "figure" },
  { key: "created", label: "Created", phone: "time" },
] as const;

export const CardsTable = ({ rows, now }: { rows: readonly CardRow[]; now: Date }) => (
  <Table caption="Cards" columns={COLUMNS} rows={rows.map((row) => toRow(row, now))} />
);

const toRow = ({ id, href, nickname, brand, last4, holder, status, balance, createdAt }: CardRow, now: Date) => ({
  key: id,
  href,
  cells: {
    card: <RowName end={last4 && `••${last4}`}>{nickname ?? BRANDS[brand]}</RowName>,
    number: (
      <span className="text-muted">
        {BRANDS[brand]} {last4 ? `•••• ${last4}` : ""}
      </span>
    ),
    holder,
    state: <State of={CARD_STATES[status]} />,
    balance: <Amount minor={balance.minor} currency={balance.currency} />,
    created: <Time at={createdAt} now={now} />,
  },
});
