import { Plus } from "lucide-react";
import { type Filter, Filters, type FilterValues } from "#components/page/filters.tsx";
import { KeyFigure, SideFigure } from "#components/page/key-figure.tsx";
import { ListPage, type ListPlace } from "#components/page/list-page.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { choicesOf, LINK_STATES, State } from "#components/page/states.tsx";
import { PrimaryAction } from "#components/shell/primary-action.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { CopyId } from "#components/ui/copy-id.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Table } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Money } from "#lib/money.ts";
import { CreateByCurl } from "./create-by-curl.tsx";

export const LINK_FILTERS: readonly Filter[] = [
  { kind: "choice", name: "status", label: "Any state", choices: choicesOf(LINK_STATES) },
  { kind: "days" },
  { kind: "amount", symbol: "₦" },
];

export interface LinkRow {
  href: string;
  reference: string;
  description: string | null;
  customer: string | null;
  status: keyof typeof LINK_STATES;
  amount: Money;
  createdAt: Date;
}

/** The money that links brought in 30 days. */
export interface PaidFigures {
  amount: Money;
  count: number;
  /** In percent against the 30 days before. Absent where nothing was paid then. */
  change: number | undefined;
}

interface LinksListProps {
  rows: readonly LinkRow[];
  paid: PaidFigures;
  values: FilterValues;
  place: ListPlace;
  /** Absent for readers who may not create. */
  createHref: string | undefined;
  /** The reason why links cannot be created here. */
  notice: { title: string; text: string } | undefined;
  /** For readers who may create test links: the address of the API. */
  apiUrl: string | undefined;
  csvHref: string;
  now: Date;
}

const COLUMNS = [
  { key: "description", label: "Description", grows: true, phone: "name" },
  { key: "reference", label: "Reference" },
  { key: "customer", label: "Customer", grows: true },
  { key: "state", label: "State", phone: "state" },
  { key: "amount", label: "Amount", figures: true, phone: "figure" },
  { key: "created", label: "Created", phone: "time" },
] as const;

/** The payment links of a merchant, newest first. */
export function LinksList({ rows, paid, values, place, createHref, notice, apiUrl, csvHref, now }: LinksListProps) {
  const create = createHref && (
    <ButtonLink variant="primary" href={createHref}>
      <Plus aria-hidden="true" className="size-4" />
      Create link
    </ButtonLink>
  );
  const isEmpty = rows.length === 0;
  return (
    <>
      <PageHead
        title="Payment links"
        figures={<Paid {...paid} />}
        actions={create && !isEmpty && <PrimaryAction>{create}</PrimaryAction>}
      />
      {notice && (
        <div className="mb-6 max-w-[45rem]">
          <Notice title={notice.title}>{notice.text}</Notice>
        </div>
      )}
      <ListPage
        things="payment links"
        filters={<Filters filters={LINK_FILTERS} values={values} clearHref={place.clearHref} />}
        csvHref={csvHref}
        place={place}
        isEmpty={isEmpty}
        empty={
          <EmptyState action={create} command={apiUrl && <CreateByCurl apiUrl={apiUrl} />}>
            A payment link asks one customer for one amount. Links that you create stand here, newest first.
          </EmptyState>
        }
      >
        <Table caption="Payment links" columns={COLUMNS} rows={rows.map((row) => toRow(row, now))} />
      </ListPage>
    </>
  );
}

const Paid = ({ amount, count, change }: PaidFigures) => (
  <>
    <KeyFigure label="Paid in 30 days" note={change !== undefined && `${signed(change)} on the 30 days before`}>
      <Amount minor={amount.minor} currency={amount.currency} />
    </KeyFigure>
    <SideFigure label="Links paid">{count.toLocaleString("en")}</SideFigure>
  </>
);

/** A minus is U+2212, as in amounts. */
const signed = (percent: number): string => `${percent < 0 ? "\u2212" : "+"}${Math.abs(percent).toLocaleString("en")} %`;

const toRow = ({ href, reference, description, customer, status, amount, createdAt }: LinkRow, now: Date) => ({
  key: reference,
  href,
  cells: {
    description: description ?? <span className="text-muted">No description</span>,
    reference: <CopyId id={reference} what="reference" />,
    customer: customer ?? <span className="text-muted">–</span>,
    state: <State of={LINK_STATES[status]} />,
    amount: <Amount minor={amount.minor} currency={amount.currency} />,
    created: <Time at={createdAt} now={now} />,
  },
});
