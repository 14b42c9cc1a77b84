import type { ReactNode } from "react";
import { Detail, Section } from "#components/page/detail.tsx";
import { type Fact, Facts } from "#components/page/facts.tsx";
import { KeyFigure } from "#components/page/key-figure.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { State, type StateWords } from "#components/page/states.tsx";
import { Summary } from "#components/page/summary.tsx";
import { Timeline, type TimelineEntry } from "#components/page/timeline.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { exactTime } from "#components/ui/time-text.ts";
import type { Money } from "#lib/money.ts";
import type { InsteadLink } from "./link-actions.tsx";
import { type RefundRow, Refunds } from "./refunds.tsx";

interface LinkDetailProps {
  backHref: string;
  title: string;
  state: StateWords;
  amount: Money;
  figure: { label: string; note: string };
  actions: ReactNode;
  /** When the bank took the money back. */
  recalledAt: Date | null;
  instead: InsteadLink | undefined;
  refunds: readonly RefundRow[];
  /** Buttons that simulate the payer. Absent in live mode, and for readers who may not use them. */
  simulate: ReactNode;
  timeline: readonly TimelineEntry[];
  facts: readonly Fact[];
  json: string;
  now: Date;
}

/** The page of a payment link: its amount, its timeline and its facts. */
export function LinkDetail({ backHref, title, state, amount, figure, actions, facts, json, now, ...rest }: LinkDetailProps) {
  const { recalledAt, instead, refunds, simulate, timeline } = rest;
  return (
    <>
      <PageHead
        back={{ href: backHref, label: "Payment links" }}
        title={<bdi>{title}</bdi>}
        pill={<State of={state} />}
        actions={actions}
      />
      <Detail facts={<Facts facts={facts} />}>
        <KeyFigure label={figure.label} note={figure.note}>
          <Amount minor={amount.minor} currency={amount.currency} />
        </KeyFigure>
        {recalledAt && (
          <Notice tone="danger" title="The bank took this payment back">
            It did so on {exactTime(recalledAt)}. Your wallet paid the money back. What it could not cover, you owe: the wallet shows it,
            and the next money that comes in pays it.
          </Notice>
        )}
        {instead && (
          <Notice>
            {instead.isPaid
              ? "Another link of the same order is paid. Money that still comes here goes back, and the page of this link leads your customer to the paid one. "
              : "A new link has replaced this one. The page of this one leads your customer to it. "}
            <TextLink href={instead.href}>{instead.isPaid ? "Open the paid link" : "Open the new link"}</TextLink>
          </Notice>
        )}
        {refunds.length > 0 && <Refunds refunds={refunds} now={now} />}
        {simulate && (
          <Section id="simulate" title="Play the customer" aside={<span className="text-fact text-muted">Test mode: no money moves</span>}>
            {simulate}
          </Section>
        )}
        <Section id="timeline" title="What happened">
          <Timeline label="What happened" entries={timeline} now={now} />
        </Section>
        <details className="text-fact">
          <Summary>As the API shows it</Summary>
          <pre className="mt-2 rounded-panel border border-line bg-surface p-3 font-mono wrap-anywhere whitespace-pre-wrap">{json}</pre>
        </details>
      </Detail>
    </>
  );
}
