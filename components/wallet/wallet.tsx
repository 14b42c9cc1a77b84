import { FileText, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { type Filter, Filters, type FilterValues } from "#components/page/filters.tsx";
import { KeyFigure, SideFigure } from "#components/page/key-figure.tsx";
import { ListPage, type ListPlace } from "#components/page/list-page.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { PrimaryAction } from "#components/shell/primary-action.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { Money } from "#lib/money.ts";
import { EntriesTable, type EntryRow } from "./entries-table.tsx";
import { type Reason, Reasons } from "./reasons.tsx";
import { WalletTabs } from "./wallet-tabs.tsx";

interface WalletProps {
  available: Money;
  balance: Money;
  held: Money;
  owed: Money;
  holds: NewestReasons;
  debts: NewestReasons;
  filters: readonly Filter[];
  rows: readonly EntryRow[];
  values: FilterValues;
  place: ListPlace;
  /** Absent for readers who may not create a payment link. */
  addMoneyHref: string | undefined;
  /** The reason why money cannot be added here. */
  cannotAdd: string | undefined;
  /** The path of the wallet. */
  path: string;
  /** The button that sends money to a bank. Absent for readers who may not. */
  send: ReactNode;
  statementHref: string;
  csvHref: string;
  now: Date;
}

/** The sections with the reasons why money is held or owed. */
interface NewestReasons {
  reasons: readonly Reason[];
  /** There are more than these. */
  hasMore: boolean;
}

/** The page of the wallet: the balances available, held and owed, and the history. */
export function Wallet({ filters, rows, values, place, csvHref, now, ...props }: WalletProps) {
  const { held, owed, holds, debts } = props;
  return (
    <>
      <PageHead title="Wallet" figures={<Figures {...props} />} actions={<Actions {...props} />} />
      <WalletTabs path={props.path} current="history" />
      {props.cannotAdd && <p className="-mt-3 mb-6 max-w-[72ch] text-fact text-muted">{props.cannotAdd}</p>}
      <div className="mb-8 flex flex-col gap-6 empty:hidden">
        {held.minor > 0n && (
          <Reasons
            {...{ ...holds, now, id: "held", title: "Held for" }}
            note="Held money is set aside until these are done. It then leaves the wallet, or is free again."
          />
        )}
        {owed.minor > 0n && (
          <Reasons
            {...{ ...debts, now, id: "owed", title: "Owed for" }}
            note="The wallet could not cover these. The next money that comes in pays them first."
          />
        )}
      </div>
      <ListPage
        things="wallet entries"
        filters={<Filters filters={filters} values={values} clearHref={place.clearHref} />}
        csvHref={csvHref}
        place={place}
        isEmpty={rows.length === 0}
        empty={
          <EmptyState action={props.addMoneyHref && <ButtonLink href={props.addMoneyHref}>Add money</ButtonLink>}>
            Nothing has moved yet. Payments that come in and money that you spend stand here, with the balance after each.
          </EmptyState>
        }
      >
        <EntriesTable caption="Wallet history" rows={rows} now={now} />
      </ListPage>
    </>
  );
}

function Figures({ available, balance, held, owed }: Pick<WalletProps, "available" | "balance" | "held" | "owed">) {
  const amountOf = ({ minor, currency }: Money): ReactNode => <Amount minor={minor} currency={currency} />;
  return (
    <>
      <KeyFigure label="Available">{amountOf(available)}</KeyFigure>
      <SideFigure label="Balance">{amountOf(balance)}</SideFigure>
      <SideFigure label="Held">{amountOf(held)}</SideFigure>
      {owed.minor > 0n && <SideFigure label="Owed">{amountOf(owed)}</SideFigure>}
    </>
  );
}

function Actions({ addMoneyHref, statementHref, send }: Pick<WalletProps, "addMoneyHref" | "statementHref" | "send">) {
  return (
    <>
      <ButtonLink href={statementHref}>
        <FileText aria-hidden="true" className="size-4" />
        Statement
      </ButtonLink>
      {addMoneyHref && (
        <ButtonLink variant={send ? "quiet" : "primary"} href={addMoneyHref}>
          <Plus aria-hidden="true" className="size-4" />
          Add money
        </ButtonLink>
      )}
      {send && <PrimaryAction>{send}</PrimaryAction>}
    </>
  );
}
