import type { ReactNode } from "react";
import { PageHead } from "#components/page/page-head.tsx";
import { Panel, Row, Rows } from "#components/security/panel.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { WalletTabs } from "./wallet-tabs.tsx";

export interface RuleRow {
  key: string;
  title: string;
  fact: string;
  value: string;
}

interface PayoutRulesProps {
  own: readonly RuleRow[];
  /** The rules that wait: from when, and which they are. */
  next: { from: string; rules: readonly RuleRow[] } | undefined;
  /** What the people who run the service allow. */
  service: readonly RuleRow[];
  /** The path of the wallet. */
  path: string;
  /** The button that changes them, or who may. */
  change: ReactNode;
  isLive: boolean;
}

const toRow = ({ key, title, fact, value }: RuleRow) => (
  <Row key={key} title={title} fact={fact} actions={<p className="text-right font-medium">{value}</p>} />
);

/** The page of the rules for payouts: the business's own, and the service's. */
export function PayoutRules({ own, next, service, path, change, isLive }: PayoutRulesProps) {
  return (
    <>
      <PageHead title="Payout rules" />
      <WalletTabs path={path} current="rules" />
      <div className="flex max-w-[45rem] flex-col gap-8">
        {next && (
          <Notice tone="warning" title={`Other rules begin ${next.from}`}>
            <ul className="list-disc pl-5 marker:text-muted">
              {next.rules.map(({ key, title, value }) => (
                <li key={key}>
                  {title}: {value}
                </li>
              ))}
            </ul>
            <p className="mt-1">To stop that, save the present rules again.</p>
          </Notice>
        )}
        <Panel
          id="own"
          title="Your rules"
          lead={
            isLive
              ? "A rule that allows less begins at once. One that allows more begins 24 hours after you save it."
              : "In test mode every rule begins at once. In live mode a rule that allows more begins 24 hours after you save it."
          }
          action={change}
        >
          <Rows>{own.map(toRow)}</Rows>
        </Panel>
        <Panel id="service" title="Limits of this service" lead="Set by the people who run it. The lower limit counts.">
          <Rows>{service.map(toRow)}</Rows>
        </Panel>
      </div>
    </>
  );
}
