import type { ReactNode } from "react";
import { PageHead } from "#components/page/page-head.tsx";
import type { StateWords } from "#components/page/states.tsx";
import { State } from "#components/page/states.tsx";
import { Row, Rows } from "#components/security/panel.tsx";
import { PrimaryAction } from "#components/shell/primary-action.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { WalletTabs } from "./wallet-tabs.tsx";

export interface AccountRow {
  id: string;
  /** Bank and the end of the number. */
  to: string;
  accountName: string;
  state: StateWords;
  /** What is known beside the name: when it can be used, who added it. */
  fact: string;
  remove: ReactNode;
}

interface AccountsListProps {
  rows: readonly AccountRow[];
  /** The path of the wallet. */
  path: string;
  /** The button that adds one. Absent for readers who may not. */
  add: ReactNode;
  /** Who may change the accounts, for readers who may not. */
  whoMay: string | undefined;
  isLive: boolean;
}

const LEADS = {
  live: "Money goes to these accounts alone. A new one can be used 24 hours after it was added, and every owner is told by email.",
  test: "Money goes to these accounts alone. In test mode a new one can be used at once. In live mode it waits for 24 hours.",
};

/** The bank accounts of the business. */
export function AccountsList({ rows, path, add, whoMay, isLive }: AccountsListProps) {
  return (
    <>
      <PageHead title="Bank accounts" actions={add && <PrimaryAction>{add}</PrimaryAction>} />
      <WalletTabs path={path} current="accounts" />
      <div className="max-w-[45rem]">
        <p className="text-muted">{LEADS[isLive ? "live" : "test"]}</p>
        {whoMay && <p className="mt-1 text-muted">{whoMay}</p>}
        {rows.length === 0 ? (
          <div className="mt-4">
            <EmptyState>There is no bank account yet. Add one to send money from your wallet to your bank.</EmptyState>
          </div>
        ) : (
          <Rows>
            {rows.map(({ id, to, accountName, state, fact, remove }) => (
              <Row
                key={id}
                title={
                  <>
                    {to} <State of={state} />
                  </>
                }
                fact={
                  <>
                    {accountName}
                    <br />
                    {fact}
                  </>
                }
                actions={remove}
              />
            ))}
          </Rows>
        )}
      </div>
    </>
  );
}
