import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { Section } from "#components/page/detail.tsx";
import { Filters, type FilterValues } from "#components/page/filters.tsx";
import { KeyFigure, SideFigure } from "#components/page/key-figure.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { buttonClasses } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { Table } from "#components/ui/table.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { Money } from "#lib/money.ts";
import { EntriesTable, type EntryRow } from "./entries-table.tsx";

export interface TypeRow {
  key: string;
  text: string;
  count: number;
  /** Below zero for what went out. */
  amount: Money;
}

interface StatementProps {
  /** Earlier months, newest first. */
  months: readonly { value: string; label: string }[];
  values: FilterValues;
  /** Absent if the month in the address could not be read, because figures of another month would look like the answer. */
  statement: MonthProps | undefined;
  problem: string | undefined;
  path: string;
  walletHref: string;
}

interface MonthProps {
  business: string;
  isTest: boolean;
  /** "November 2026". */
  month: string;
  opening: Money;
  closing: Money;
  /** Undefined for a month with too many entries to add up here. */
  sums: { in: Money; out: Money; types: readonly TypeRow[] } | undefined;
  /** Whether the month is over and can get no further entry. */
  isClosed: boolean;
  rows: readonly EntryRow[];
  newerHref: string | undefined;
  olderHref: string | undefined;
  csvHref: string;
  print: ReactNode;
  now: Date;
}

const amountOf = ({ minor, currency }: Money, signed = false) => <Amount minor={minor} currency={currency} signed={signed} />;

/** The wallet in one month: opening balance, what came in and went out, closing balance, and each entry. On paper it stands without the shell. */
export function Statement({ statement, problem, path, walletHref, months, values }: StatementProps) {
  return (
    <>
      <div className="print:hidden">
        <PageHead title="Statement" back={{ href: walletHref, label: "Wallet" }} actions={statement && <Actions {...statement} />} />
        <Filters filters={[{ kind: "choice", name: "month", label: "This month", choices: months }]} values={values} clearHref={path} />
        {statement && problem && (
          <div className="mt-3">
            <Notice tone="warning">{problem}</Notice>
          </div>
        )}
      </div>
      {statement ? <Month {...statement} /> : <NoMonth path={path} />}
    </>
  );
}

const NoMonth = ({ path }: Pick<StatementProps, "path">) => (
  <div className="mt-6">
    <EmptyState action={<TextLink href={path}>Show this month</TextLink>}>
      The month in this address cannot be read, or has no statement. A month is written like 2026-11.
    </EmptyState>
  </div>
);

function Month({ business, isTest, month, isClosed, sums, ...props }: MonthProps) {
  return (
    <>
      <div className="mt-6 mb-8 print:mt-0">
        <h2 className="text-title font-semibold wrap-anywhere">
          {month}
          <span className="font-normal text-muted">, {business}</span>
        </h2>
        <p className="mt-1 text-fact text-muted">
          {isTest && "Test mode: play money. "}
          Times of Lagos (UTC+1). {!isClosed && "This month is not over: the balance and the sums are those of now."}
        </p>
        <Figures {...props} isClosed={isClosed} sums={sums} />
      </div>
      <div className="flex flex-col gap-8">
        {sums && sums.types.length > 0 && <Sums types={sums.types} />}
        <Entries {...props} />
      </div>
    </>
  );
}

function Figures({ opening, closing, isClosed, sums }: Pick<MonthProps, "opening" | "closing" | "isClosed" | "sums">) {
  return (
    <div className="mt-4 flex flex-wrap items-end gap-x-8 gap-y-3">
      <KeyFigure label={isClosed ? "Closing balance" : "Balance so far"}>{amountOf(closing)}</KeyFigure>
      <SideFigure label="Opening balance">{amountOf(opening)}</SideFigure>
      {sums && <SideFigure label="Money in">{amountOf(sums.in)}</SideFigure>}
      {sums && <SideFigure label="Money out">{amountOf(sums.out)}</SideFigure>}
    </div>
  );
}

const Actions = ({ print, csvHref }: Pick<MonthProps, "print" | "csvHref">) => (
  <>
    <a href={csvHref} download className={buttonClasses()}>
      <span className="inline-flex items-center gap-2">
        <Download aria-hidden="true" className="size-4" />
        CSV
      </span>
    </a>
    {print}
  </>
);

const SUM_COLUMNS = [
  { key: "text", label: "What", grows: true, phone: "name" },
  { key: "count", label: "Entries", figures: true, phone: "state" },
  { key: "amount", label: "Amount", figures: true, phone: "figure" },
] as const;

const Sums = ({ types }: { types: readonly TypeRow[] }) => (
  <Section id="sums" title="By kind">
    <Table
      caption="Sums by kind"
      columns={SUM_COLUMNS}
      rows={types.map(({ key, text, count, amount }) => ({
        key,
        cells: { text, count: `${count.toLocaleString("en-GB")} ${count === 1 ? "entry" : "entries"}`, amount: amountOf(amount, true) },
      }))}
    />
  </Section>
);

function Entries({ rows, newerHref, olderHref, now }: Pick<MonthProps, "rows" | "newerHref" | "olderHref" | "now">) {
  const isPart = newerHref !== undefined || olderHref !== undefined;
  return (
    <Section id="entries" title="Entries, newest first">
      {rows.length === 0 ? (
        <p className="text-muted">Nothing moved in this month.</p>
      ) : (
        <EntriesTable caption="Entries" rows={rows} now={now} isExact />
      )}
      {isPart && <p className="mt-3 text-fact text-muted">A page has 200 entries. The CSV file has all of the month.</p>}
      <div className="mt-3 print:hidden">
        <Pagination newerHref={newerHref} olderHref={olderHref} />
      </div>
    </Section>
  );
}
