import type { ReactNode } from "react";
import { Amount } from "#components/ui/amount.tsx";
import { CopyId } from "#components/ui/copy-id.tsx";
import { Table } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Money } from "#lib/money.ts";
import { lagosDateTime } from "#lib/time.ts";

export interface EntryRow {
  id: string;
  /** The page of the thing that moved the money, if it has one. */
  href: string | undefined;
  text: string;
  reference: string | null;
  direction: "credit" | "debit";
  amount: Money;
  balanceAfter: Money;
  createdAt: Date;
}

const COLUMNS = [
  { key: "text", label: "What", grows: true, phone: "name" },
  { key: "reference", label: "Reference", phone: "note" },
  { key: "amount", label: "Amount", figures: true, phone: "figure" },
  { key: "balance", label: "Balance", figures: true, phone: "state" },
  { key: "time", label: "Time", phone: "time" },
] as const;

interface EntriesTableProps {
  caption: string;
  rows: readonly EntryRow[];
  now: Date;
  /** Whether times are shown as date and time instead of "12 min ago", because paper does not update. */
  isExact?: boolean;
}

/** Entries of the wallet with the balance after each. */
export const EntriesTable = ({ caption, rows, now, isExact = false }: EntriesTableProps) => (
  <Table
    caption={caption}
    columns={COLUMNS}
    rows={rows.map((row) => toRow(row, isExact ? lagosDateTime(row.createdAt) : <Time at={row.createdAt} now={now} />))}
  />
);

const toRow = ({ id, href, text, reference, direction, amount, balanceAfter }: EntryRow, time: ReactNode) => ({
  key: id,
  href,
  cells: {
    text,
    reference: reference ? <CopyId id={reference} what="reference" /> : <span className="text-muted max-sm:hidden">–</span>,
    amount: <Amount minor={direction === "debit" ? -amount.minor : amount.minor} currency={amount.currency} signed />,
    balance: (
      <span className="whitespace-normal text-muted">
        <span className="sm:hidden">Balance </span>
        <Amount minor={balanceAfter.minor} currency={balanceAfter.currency} />
      </span>
    ),
    time,
  },
});
