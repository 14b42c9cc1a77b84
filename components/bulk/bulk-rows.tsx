import { State, type StateWords } from "#components/page/states.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { RowName } from "#components/ui/row-name.tsx";
import { Table } from "#components/ui/table.tsx";
import type { Money } from "#lib/money.ts";

export interface BulkRowView {
  /** Its line in a spreadsheet. */
  row: number;
  /** The page of its purchase. */
  href: string | undefined;
  recipient: string;
  product: string | null;
  state: StateWords;
  /** Why it cannot be bought, or why it failed. */
  message: string | null;
  amount: Money | null;
}

const COLUMNS = [
  { key: "recipient", label: "For", phone: "name" },
  { key: "row", label: "Line" },
  { key: "product", label: "What", grows: true },
  { key: "state", label: "State", phone: "state" },
  { key: "message", label: "Why", grows: true },
  { key: "amount", label: "Amount", figures: true, phone: "figure" },
] as const;

/** Rows of a file, in its order. */
export function BulkRows({ caption, rows }: { caption: string; rows: readonly BulkRowView[] }) {
  return <Table caption={caption} columns={COLUMNS} rows={rows.map(toRow)} />;
}

const toRow = ({ row, href, recipient, product, state, message, amount }: BulkRowView) => ({
  key: String(row),
  href,
  cells: {
    recipient: <RowName end={`line ${row}`}>{recipient}</RowName>,
    row: <span className="text-muted tabular-nums">{row}</span>,
    product: product ?? <span className="text-muted">–</span>,
    // A phone has no column for the reason.
    state: (
      <>
        <State of={state} />
        {message && <span className="mt-0.5 block whitespace-normal text-muted wide:hidden">{message}</span>}
      </>
    ),
    message: message && <span className="whitespace-normal text-muted">{message}</span>,
    amount: amount && <Amount minor={amount.minor} currency={amount.currency} />,
  },
});

/** Rows that cannot be bought, each with what is wrong. */
export function WrongRows({ rows }: { rows: readonly BulkRowView[] }) {
  return (
    <ul className="divide-y divide-line rounded-panel border border-line bg-surface text-fact">
      {rows.map(({ row, recipient, message }) => (
        <li key={row} className="flex flex-wrap gap-x-4 gap-y-0.5 px-4 py-2.5">
          <span className="w-16 shrink-0 text-muted">Line {row}</span>
          <span className="min-w-32 font-medium wrap-anywhere tabular-nums">{recipient}</span>
          <span className="min-w-0 grow basis-60 text-danger wrap-anywhere">{message}</span>
        </li>
      ))}
    </ul>
  );
}
