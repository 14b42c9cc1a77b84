import type { Column } from "#app/_exports/csv.ts";
import type { Money } from "#lib/money.ts";
import type { Statement, WalletTransaction } from "#services/ledger/index.ts";

/** A line of a statement: an entry, or the balance before the first of them or after the last. */
export interface Line {
  type: string;
  balance: Money;
  entry?: WalletTransaction;
}

/** The first line of the file, because entries come newest first. */
export const closingLine = ({ closing, isClosed }: Statement): Line => ({
  type: isClosed ? "closing balance" : "balance so far",
  balance: closing,
});

export const openingLine = ({ opening }: Statement): Line => ({ type: "opening balance", balance: opening });

export const lineOf = (entry: WalletTransaction): Line => ({ type: entry.type, balance: entry.balanceAfter, entry });

const amountOf = ({ entry }: Line, direction: WalletTransaction["direction"]) =>
  entry?.direction === direction ? entry.amount.minor : undefined;

export const columns: Column<Line>[] = [
  ["Time", ({ entry }) => entry?.createdAt],
  ["Type", ({ type }) => type],
  ["In", (line) => amountOf(line, "credit")],
  ["Out", (line) => amountOf(line, "debit")],
  ["Balance", ({ balance }) => balance.minor],
  ["Currency", ({ balance }) => balance.currency],
  ["Reference", ({ entry }) => entry?.reference],
  ["Transfer", ({ entry }) => entry?.id],
];
