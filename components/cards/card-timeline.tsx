import type { ReactNode } from "react";
import { Timeline, type TimelineEntry } from "#components/page/timeline.tsx";
import { Amount } from "#components/ui/amount.tsx";
import type { StateTone } from "#components/ui/state-pill.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { Money } from "#lib/money.ts";

/** Spend or an operation, as one entry of a card's timeline. */
export interface CardEvent {
  id: string;
  at: Date;
  text: string;
  detail: string;
  tone: StateTone;
  /** Below zero where it was taken from the card. Null where no dollars are named. */
  amount: Money | null;
  /** Whether the amount has moved. It is shown with a sign then. */
  hasMoved: boolean;
  /** The entry that it follows. */
  related?: { id: string; text: string; isHere: boolean } | undefined;
  /** The dollars that the card lacked for the charge and still lacks. */
  lack?: Money | undefined;
}

interface CardTimelineProps {
  events: readonly CardEvent[];
  /** The button for what a declined charge lacked. */
  fundMore: (lack: Money) => ReactNode;
  now: Date;
}

/** The operations and the spend of a card, newest first. */
export function CardTimeline({ events, fundMore, now }: CardTimelineProps) {
  return <Timeline label="What happened" entries={events.map((event) => toEntry(event, fundMore))} now={now} />;
}

const toEntry = (
  { id, at, text, detail, tone, amount, hasMoved, related, lack }: CardEvent,
  fundMore: CardTimelineProps["fundMore"],
): TimelineEntry => ({
  ...{ key: id, at, tone },
  text: <span id={id}>{text}</span>,
  figure: amount && <Amount minor={amount.minor} currency={amount.currency} signed={hasMoved} />,
  detail: (
    <>
      {detail}
      {related && <> {related.isHere ? <TextLink href={`#${related.id}`}>{related.text}</TextLink> : related.text}</>}
    </>
  ),
  action: lack && fundMore(lack),
});
