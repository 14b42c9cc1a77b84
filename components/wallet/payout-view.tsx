import { Detail, Section } from "#components/page/detail.tsx";
import { Facts } from "#components/page/facts.tsx";
import { KeyFigure, SideFigure } from "#components/page/key-figure.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { PAYOUT_STATES, State } from "#components/page/states.tsx";
import { Timeline, type TimelineEntry } from "#components/page/timeline.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { CopyId } from "#components/ui/copy-id.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { Money } from "#lib/money.ts";

interface PayoutViewProps {
  /** Bank and the end of the number. */
  to: string;
  accountName: string;
  status: keyof typeof PAYOUT_STATES;
  amount: Money;
  fee: Money;
  total: Money;
  reference: string;
  sessionId: string | null;
  narration: string | null;
  madeBy: string;
  approvedBy: string | null;
  entries: readonly TimelineEntry[];
  listHref: string;
  now: Date;
}

const AMOUNT_LABELS = { processing: "To arrive", paid: "Arrived", failed: "Did not arrive", reversed: "Came back" } as const;

const amountOf = ({ minor, currency }: Money) => <Amount minor={minor} currency={currency} />;

/** The page of a payout: its figures, one timeline, and its facts. */
export function PayoutView({ to, accountName, status, amount, fee, total, entries, listHref, now, ...facts }: PayoutViewProps) {
  return (
    <>
      <PageHead
        title={`To ${to}`}
        back={{ href: listHref, label: "Payouts" }}
        pill={<State of={PAYOUT_STATES[status]} />}
        lead={accountName}
      />
      <div className="mb-8 flex flex-wrap items-end gap-x-8 gap-y-2">
        <KeyFigure label={AMOUNT_LABELS[status]}>{amountOf(amount)}</KeyFigure>
        <SideFigure label="Fee">{amountOf(fee)}</SideFigure>
        <SideFigure label={TOTAL_LABELS[status]}>{amountOf(total)}</SideFigure>
      </div>
      {status === "processing" && (
        <div className="mb-6 max-w-[45rem]">
          <Notice tone="warning" title="The bank has not said yet whether it arrived">
            Do not send it again: this page will tell you. The money is set aside until then.
          </Notice>
        </div>
      )}
      <Detail
        facts={
          <Facts
            facts={[
              { label: "Account", value: `${to}, ${accountName}` },
              { label: "Narration", value: facts.narration },
              { label: "Sent by", value: facts.madeBy },
              { label: "Agreed to by", value: facts.approvedBy },
              { label: "Reference", value: <CopyId id={facts.reference} what="reference" /> },
              { label: "Bank session", value: facts.sessionId && <CopyId id={facts.sessionId} what="bank session" /> },
            ]}
          />
        }
      >
        <Section id="timeline" title="What happened">
          <Timeline label="What happened" entries={entries} now={now} />
        </Section>
      </Detail>
    </>
  );
}

const TOTAL_LABELS: Record<PayoutViewProps["status"], string> = {
  processing: "Set aside in your wallet",
  paid: "Left your wallet",
  failed: "Back in your wallet",
  reversed: "Back in your wallet",
};
