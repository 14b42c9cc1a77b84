import type { ReactNode } from "react";
import { Detail, Section } from "#components/page/detail.tsx";
import { type Fact, Facts } from "#components/page/facts.tsx";
import { KeyFigure } from "#components/page/key-figure.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { PURCHASE_STATES, State } from "#components/page/states.tsx";
import { Timeline, type TimelineEntry } from "#components/page/timeline.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { Money } from "#lib/money.ts";
import { Secrets, type SecretsView } from "./secrets.tsx";

export interface ReceiptView {
  title: string;
  backHref: string;
  /** Shown on paper only, because the frame with the name is not printed. */
  business: string;
  status: keyof typeof PURCHASE_STATES;
  /** A sentence about the outcome and the money. */
  sentence: string;
  amount: Money;
  /** The refunded amount. */
  refunded: Money | undefined;
  /** "45.6 kWh" */
  units: string | null;
  secrets: SecretsView;
  facts: readonly Fact[];
  timeline: readonly TimelineEntry[];
}

const TONE = { processing: "info", success: "success", failed: "danger", reversed: "warning" } as const;

/** The receipt of a purchase: the product, the outcome, the delivered tokens or pins, and the price. */
export function Receipt({ view, now, actions }: { view: ReceiptView; now: Date; actions: ReactNode }) {
  const { title, backHref, business, status, sentence, amount, refunded, secrets, facts, timeline } = view;
  return (
    <article className="print:[&_.needs-js]:hidden print:[&_header>a]:hidden">
      <p className="mb-4 hidden font-semibold print:block">{business}</p>
      <PageHead
        title={title}
        back={{ href: backHref, label: "Top-ups" }}
        pill={<State of={PURCHASE_STATES[status]} />}
        actions={<div className="flex flex-wrap gap-2 max-sm:*:grow print:hidden">{actions}</div>}
      />
      <Detail facts={<Facts facts={facts} />}>
        <div className="flex flex-wrap items-end gap-x-8 gap-y-3">
          <KeyFigure
            label={status === "processing" ? "Set aside in your wallet" : "Price"}
            note={
              refunded && (
                <>
                  <Amount minor={refunded.minor} currency={refunded.currency} /> came back to your wallet
                </>
              )
            }
          >
            <Amount minor={amount.minor} currency={amount.currency} />
          </KeyFigure>
        </div>
        <div className="max-w-[45rem]">
          <Notice tone={TONE[status]}>{sentence}</Notice>
        </div>
        <Secrets view={secrets} units={view.units} />
        <div className="print:hidden">
          <Section id="timeline" title="What happened">
            <Timeline label="What happened" entries={timeline} now={now} />
          </Section>
        </div>
      </Detail>
    </article>
  );
}
