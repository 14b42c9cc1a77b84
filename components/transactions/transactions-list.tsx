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

export const TRANSACTION_FILTERS: readonly Filter[] = [
  {
    ...{ kind: "choice", name: "area", label: "Any kind" },
    choices: [
      { value: "checkout", label: "Payment links" },
      { value: "cards", label: "Cards" },
      { value: "vtu", label: "Top-ups" },
      { value: "payouts", label: "Payouts" },
    ],
  },
  {
    ...{ kind: "choice", name: "state", label: "Any state" },
    choices: [
      { value: "processing", label: "Under way" },
      { value: "completed", label: "Done" },
      { value: "failed", label: "Failed or declined" },
      { value: "expired", label: "Expired" },
      { value: "reversed", label: "Returned" },
    ],
  },
  { kind: "days" },
];

export interface TransactionRow {
  id: string;
  href: string;
  title: string;
  detail: string | null;
  kind: string;
  state: StateWords;
  /** Null where no money is asked for. */
  amount: Money | null;
  /** Whether money came in or went out. Null if none has moved; the amount is then shown without a sign. */
  moved: "in" | "out" | null;
  createdAt: Date;
}

interface TransactionsListProps {
  rows: readonly TransactionRow[];
  values: FilterValues;
  place: ListPlace;
  csvHref: string | undefined;
  /** The page of the links, for a merchant without a transaction. */
  linksHref: string;
  now: Date;
}

const COLUMNS = [
  { key: "title", label: "What", grows: true, phone: "name" },
  { key: "detail", label: "For", grows: true },
  { key: "kind", label: "Kind" },
  { key: "state", label: "State", phone: "state" },
  { key: "amount", label: "Amount", figures: true, phone: "figure" },
  { key: "created", label: "Time", phone: "time" },
] as const;

/** All transactions that moved money or tried to, in all areas, newest first. */
export function TransactionsList({ rows, values, place, csvHref, linksHref, now }: TransactionsListProps) {
  return (
    <>
      <PageHead title="Transactions" />
      <ListPage
        things="transactions"
        filters={<Filters filters={TRANSACTION_FILTERS} values={values} clearHref={place.clearHref} />}
        csvHref={csvHref}
        place={place}
        isEmpty={rows.length === 0}
        empty={
          <EmptyState action={<ButtonLink href={linksHref}>Go to payment links</ButtonLink>}>
            Payments, refunds, card money, card spend, top-ups and payouts stand here together, newest first.
          </EmptyState>
        }
      >
        <Table caption="Transactions" columns={COLUMNS} rows={rows.map((row) => toRow(row, now))} />
      </ListPage>
    </>
  );
}

const toRow = ({ id, href, title, detail, kind, state, amount, moved, createdAt }: TransactionRow, now: Date) => ({
  key: id,
  href,
  cells: {
    title: (
      <>
        {title}
        {detail && <span className="font-normal text-muted wide:hidden"> · {detail}</span>}
      </>
    ),
    detail: detail ?? <span className="text-muted">–</span>,
    kind: <span className="text-muted">{kind}</span>,
    state: <State of={state} />,
    amount: amount && <Asked amount={amount} moved={moved} />,
    created: <Time at={createdAt} now={now} />,
  },
});

function Asked({ amount: { minor, currency }, moved }: { amount: Money; moved: TransactionRow["moved"] }) {
  if (moved) return <Amount minor={moved === "out" ? -minor : minor} currency={currency} signed />;
  return (
    <span className="text-muted">
      <Amount minor={minor} currency={currency} />
    </span>
  );
}
