import type { ReactNode } from "react";
import { type Filter, Filters, type FilterValues } from "#components/page/filters.tsx";
import { ListPage, type ListPlace } from "#components/page/list-page.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { choicesOf, PAYOUT_STATES, State } from "#components/page/states.tsx";
import { PrimaryAction } from "#components/shell/primary-action.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Table } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Money } from "#lib/money.ts";
import { WalletTabs } from "./wallet-tabs.tsx";

export const payoutFilters = (accounts: readonly { value: string; label: string }[]): Filter[] => [
  { kind: "choice", name: "status", label: "Any state", choices: choicesOf(PAYOUT_STATES) },
  { kind: "choice", name: "account", label: "Any account", choices: accounts },
  { kind: "days" },
];

export interface PayoutRow {
  id: string;
  href: string;
  bankName: string;
  /** The last four digits. */
  number: string;
  accountName: string;
  status: keyof typeof PAYOUT_STATES;
  amount: Money;
  fee: Money;
  createdAt: Date;
}

interface PayoutsListProps {
  rows: readonly PayoutRow[];
  filters: readonly Filter[];
  values: FilterValues;
  place: ListPlace;
  /** The path of the wallet. */
  path: string;
  csvHref: string;
  /** The button that sends money. Absent for readers who may not. */
  send: ReactNode;
  /** The payouts that wait for a second person. */
  requests: ReactNode;
  now: Date;
}

const COLUMNS = [
  { key: "to", label: "To", grows: true, phone: "name" },
  { key: "name", label: "Owner", grows: true },
  { key: "state", label: "State", phone: "state" },
  { key: "fee", label: "Fee", figures: true },
  { key: "amount", label: "Amount", figures: true, phone: "figure" },
  { key: "time", label: "Time", phone: "time" },
] as const;

/** All payouts, newest first, below those that wait for a second person. */
export function PayoutsList({ rows, filters, values, place, path, csvHref, send, requests, now }: PayoutsListProps) {
  return (
    <>
      <PageHead title="Payouts" actions={send && <PrimaryAction>{send}</PrimaryAction>} />
      <WalletTabs path={path} current="payouts" />
      {requests}
      <ListPage
        things="payouts"
        filters={<Filters filters={filters} values={values} clearHref={place.clearHref} />}
        csvHref={csvHref}
        place={place}
        isEmpty={rows.length === 0}
        empty={
          <EmptyState>Each time that money goes from your wallet to your bank, it stands here, also when the bank refused it.</EmptyState>
        }
      >
        <Table caption="Payouts" columns={COLUMNS} rows={rows.map((row) => toRow(row, now))} />
      </ListPage>
    </>
  );
}

const toRow = ({ id, href, bankName, number, accountName, status, amount, fee, createdAt }: PayoutRow, now: Date) => ({
  key: id,
  href,
  cells: {
    // A long name of a bank is cut, and the digits, which tell accounts apart, are not.
    to: (
      <span className="flex min-w-0">
        <span className="truncate">{bankName}</span>
        <span className="shrink-0 whitespace-pre"> ••{number}</span>
      </span>
    ),
    name: accountName,
    state: <State of={PAYOUT_STATES[status]} />,
    fee: (
      <span className="text-muted">
        <Amount minor={fee.minor} currency={fee.currency} />
      </span>
    ),
    amount: <Amount minor={status === "paid" ? -amount.minor : amount.minor} currency={amount.currency} signed={status === "paid"} />,
    time: <Time at={createdAt} now={now} />,
  },
});
