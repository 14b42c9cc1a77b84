import { type Filter, Filters, type FilterValues } from "#components/page/filters.tsx";
import { ListPage, type ListPlace } from "#components/page/list-page.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { State, type StateWords } from "#components/page/states.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Table } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Money } from "#lib/money.ts";
import { CardsTabs, NoAction } from "./cards-tabs.tsx";
import { choicesOfWords, SPEND_TYPES } from "./words.ts";

export const SPEND_FILTERS: readonly Filter[] = [
  { kind: "choice", name: "type", label: "Any kind", choices: choicesOfWords(SPEND_TYPES) },
  { kind: "days" },
];

export interface SpendRow {
  key: string;
  href: string;
  shop: string;
  /** Why it was declined. */
  why: string | null;
  card: string;
  kind: string;
  state: StateWords;
  amount: Money;
  /** Whether the amount has moved: it carries a sign then. */
  hasMoved: boolean;
  at: Date;
}

interface SpendListProps {
  rows: readonly SpendRow[];
  values: FilterValues;
  place: ListPlace;
  path: string;
  csvHref: string;
  now: Date;
}

const COLUMNS = [
  { key: "shop", label: "Shop", grows: true, phone: "name" },
  { key: "card", label: "Card", grows: true },
  { key: "kind", label: "Kind", grows: true },
  { key: "state", label: "State", phone: "state" },
  { key: "amount", label: "Amount", figures: true, phone: "figure" },
  { key: "time", label: "Time", phone: "time" },
] as const;

/** The spend of all cards, in the order in which it was reported, newest first. */
export function SpendList({ rows, values, place, path, csvHref, now }: SpendListProps) {
  return (
    <>
      <PageHead title="Card spend" actions={<NoAction />} />
      <CardsTabs path={path} current="spend" />
      <ListPage
        things="card spend"
        filters={<Filters filters={SPEND_FILTERS} values={values} clearHref={place.clearHref} />}
        csvHref={csvHref}
        place={place}
        isEmpty={rows.length === 0}
        empty={
          <EmptyState action={<ButtonLink href={path}>Go to cards</ButtonLink>}>
            What shops authorise, take, decline and refund on your cards stands here, newest first.
          </EmptyState>
        }
      >
        <Table caption="Card spend" columns={COLUMNS} rows={rows.map((row) => toRow(row, now))} />
      </ListPage>
    </>
  );
}

const toRow = ({ key, href, shop, why, card, kind, state, amount, hasMoved, at }: SpendRow, now: Date) => ({
  key,
  href,
  cells: {
    shop: (
      <>
        {shop}
        <span className="font-normal text-muted wide:hidden"> · {card}</span>
      </>
    ),
    card,
    kind: <span className="text-muted">{why ?? kind}</span>,
    state: <State of={state} />,
    amount: <Amount minor={amount.minor} currency={amount.currency} signed={hasMoved} />,
    time: <Time at={at} now={now} />,
  },
});
