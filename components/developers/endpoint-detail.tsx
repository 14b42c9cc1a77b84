import type { ReactNode } from "react";
import { Detail, Section } from "#components/page/detail.tsx";
import { type Fact, Facts } from "#components/page/facts.tsx";
import { KeyFigure, SideFigure } from "#components/page/key-figure.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { DELIVERY_STATES, ENDPOINT_STATES, State } from "#components/page/states.tsx";
import { Summary } from "#components/page/summary.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { CodeBlock } from "./code-block.tsx";
import { DeliveriesTable, type DeliveryRow } from "./deliveries-list.tsx";

interface EndpointDetailProps {
  backHref: string;
  url: string;
  state: keyof typeof ENDPOINT_STATES;
  actions: ReactNode;
  /** A notice about failures and missed events. */
  trouble: { title: string; text: string } | undefined;
  lastDay: { delivered: string; failed: string };
  /** Waiting deliveries of any age: those that are retried, and those before their first attempt. */
  waiting: { retrying: string; fresh: string };
  deliveries: readonly DeliveryRow[];
  deliveriesHref: string;
  /** The form that resends missed events. Absent for readers who may not, and while the endpoint is disabled. */
  resend: ReactNode;
  code: string;
  facts: readonly Fact[];
  now: Date;
}

/** The page of a webhook endpoint: its state, its deliveries and its missed events. */
export function EndpointDetail({
  backHref,
  url,
  state,
  actions,
  trouble,
  lastDay,
  waiting,
  deliveries,
  resend,
  code,
  facts,
  now,
  ...rest
}: EndpointDetailProps) {
  return (
    <>
      <PageHead
        back={{ href: backHref, label: "Webhooks" }}
        title={<bdi>{url}</bdi>}
        pill={<State of={ENDPOINT_STATES[state]} />}
        actions={actions}
      />
      <Detail facts={<Facts facts={facts} />}>
        {trouble && (
          <Notice tone="warning" title={trouble.title}>
            {trouble.text}
          </Notice>
        )}
        <div className="flex flex-wrap items-end gap-x-8 gap-y-2">
          <div className="max-sm:basis-full">
            <KeyFigure label="Delivered in 24 hours">{lastDay.delivered}</KeyFigure>
          </div>
          <SideFigure label="Failed">{lastDay.failed}</SideFigure>
          <SideFigure label={DELIVERY_STATES.retrying.word}>{waiting.retrying}</SideFigure>
          <SideFigure label={DELIVERY_STATES.pending.word}>{waiting.fresh}</SideFigure>
        </div>
        <Section
          id="deliveries"
          title="Latest deliveries"
          aside={deliveries.length > 0 && <TextLink href={rest.deliveriesHref}>All deliveries</TextLink>}
        >
          {deliveries.length === 0 ? (
            <EmptyState>Nothing was sent here yet. Send a test event, or make something happen.</EmptyState>
          ) : (
            <DeliveriesTable rows={deliveries} now={now} />
          )}
        </Section>
        {resend && (
          <Section id="resend" title="Send again what it missed">
            {resend}
          </Section>
        )}
        <details>
          <Summary>Verify signatures</Summary>
          <p className="mt-2 mb-2 max-w-[72ch] text-muted">
            Anybody can call your server. This code, for Node.js and without a library, tells events of Oja from others. The page of a
            delivery shows the text that was signed.
          </p>
          <CodeBlock text={code} what="the code" />
        </details>
      </Detail>
    </>
  );
}
