import type { ReactNode } from "react";
import { Detail, Section } from "#components/page/detail.tsx";
import { Facts } from "#components/page/facts.tsx";
import { KeyFigure } from "#components/page/key-figure.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { CARD_STATES, State } from "#components/page/states.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { CopyId } from "#components/ui/copy-id.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { Tabs } from "#components/ui/tabs.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Money } from "#lib/money.ts";
import { CardFace } from "./card-face.tsx";
import { type CardEvent, CardTimeline } from "./card-timeline.tsx";
import { BRANDS } from "./words.ts";

interface CardViewProps {
  card: {
    id: string;
    cardholderId: number;
    brand: keyof typeof BRANDS;
    nickname: string | null;
    last4: string | null;
    expiryMonth: number | null;
    expiryYear: number | null;
    status: keyof typeof CARD_STATES;
    balance: Money;
    held: Money;
    isEnding: boolean;
    isBlocked: boolean;
    createdAt: Date;
    terminatedAt: Date | null;
  };
  holder: string;
  /** A sentence about the end of the card: the money that returned, or why the card was not issued. */
  ending: string | undefined;
  /** The path of the cards. */
  path: string;
  actions: ReactNode;
  /** The button that shows the card number, or the roles that may see it. */
  reveal: ReactNode;
  history: {
    show: "all" | "spend" | "money";
    events: readonly CardEvent[];
    newerHref: string | undefined;
    olderHref: string | undefined;
    hasOlder: boolean;
    problem: string | undefined;
  };
  fundMore: (lack: Money) => ReactNode;
  now: Date;
}

/** The page of a card: one face, one figure, one timeline. */
export function CardView({ card, holder, ending, path, actions, reveal, history, fundMore, now }: CardViewProps) {
  const { brand, nickname, last4, status, balance, held } = card;
  const name = nickname ?? BRANDS[brand];
  const isUsable = status === "ACTIVE" && !card.isEnding;
  return (
    <>
      <PageHead
        title={name}
        back={{ href: path, label: "Cards" }}
        pill={<State of={card.isEnding ? { tone: "waiting", word: "Being terminated" } : CARD_STATES[status]} />}
        actions={actions}
      />
      <StateNotice card={card} ending={ending} />
      <Detail facts={<CardFacts card={card} holder={holder} path={path} now={now} />}>
        <div className="flex flex-col gap-x-8 gap-y-4 sm:flex-row sm:items-center">
          <CardFace {...card} holder={holder} last4={last4} isUsable={isUsable} />
          <div className="flex flex-col items-start gap-3">
            <KeyFigure label="To spend" note={held.minor > 0n && <Held held={held} />}>
              <Amount minor={balance.minor} currency={balance.currency} />
            </KeyFigure>
            {reveal}
          </div>
        </div>
        <Section id="history" title="What happened">
          <div className="mb-4">
            <HistoryTabs path={`${path}/${card.id}`} show={history.show} />
          </div>
          {history.problem && <Notice tone="warning">{history.problem}</Notice>}
          {history.events.length === 0 ? (
            <p className="text-muted">{NOTHING[history.show]}</p>
          ) : (
            <CardTimeline events={history.events} fundMore={fundMore} now={now} />
          )}
          {history.hasOlder && (
            <p className="mt-4 text-fact text-muted">
              Older: <TextLink href={`${path}/${card.id}?show=spend`}>all spend</TextLink> and{" "}
              <TextLink href={`${path}/${card.id}?show=money`}>all money</TextLink> of this card.
            </p>
          )}
          <Pagination newerHref={history.newerHref} olderHref={history.olderHref} />
        </Section>
      </Detail>
    </>
  );
}

const Held = ({ held }: { held: Money }) => (
  <>
    <Amount minor={held.minor} currency={held.currency} /> authorised, waiting
  </>
);

const NOTHING = {
  all: "Nothing has happened on this card yet.",
  spend: "No shop has charged this card yet.",
  money: "No money has moved to or from this card yet.",
};

const HistoryTabs = ({ path, show }: { path: string; show: "all" | "spend" | "money" }) => (
  <Tabs
    label="Parts of the history"
    tabs={[
      { href: path, label: "All", current: show === "all" },
      { href: `${path}?show=spend`, label: "Spend", current: show === "spend" },
      { href: `${path}?show=money`, label: "Money", current: show === "money" },
    ]}
  />
);

function CardFacts({ card, holder, path, now }: Pick<CardViewProps, "card" | "holder" | "path" | "now">) {
  const { id, cardholderId, brand, last4, createdAt, terminatedAt } = card;
  const facts = [
    { label: "Cardholder", value: <TextLink href={`${path}/holders/${cardholderId}`}>{holder}</TextLink> },
    { label: "Brand", value: BRANDS[brand] },
    { label: "Last four", value: last4 },
    { label: "Created", value: <Time at={createdAt} now={now} /> },
    { label: "Terminated", value: terminatedAt && <Time at={terminatedAt} now={now} /> },
    { label: "Id", value: <CopyId id={id} /> },
  ];
  return <Facts facts={facts} />;
}

function StateNotice({ card: { status, isEnding, isBlocked }, ending }: Pick<CardViewProps, "card" | "ending">) {
  const says = noticeOf(status, isEnding, isBlocked);
  if (!says) return null;
  return (
    <div className="mb-6 max-w-[45rem]">
      <Notice tone={says.tone} title={says.title}>
        {ending ?? says.text}
      </Notice>
    </div>
  );
}

function noticeOf(status: CardViewProps["card"]["status"], isEnding: boolean, isBlocked: boolean) {
  if (status === "PENDING") {
    return {
      tone: "info",
      title: "The card's issuer is making this card",
      text: "That takes seconds, at times longer. This page shows it when it is done.",
    } as const;
  }
  if (status === "FAILED") {
    return { tone: "warning", title: "This card was never issued", text: "Nothing was charged. Issue another one." } as const;
  }
  if (status === "TERMINATED") {
    return {
      tone: "info",
      title: "This card is terminated, for good",
      text: "Refunds and releases that still come go to your wallet.",
    } as const;
  }
  if (isEnding) {
    return {
      tone: "warning",
      title: "The card is about to be terminated",
      text: "The card's issuer has not answered yet. This page will tell you.",
    } as const;
  }
  if (isBlocked) {
    return {
      tone: "warning",
      title: "No money moves on this card for now",
      text: "The card's issuer said something about it that our people look into. Write to support.",
    } as const;
  }
  if (status === "FROZEN") {
    return {
      tone: "info",
      title: "This card is frozen",
      text: "Shops are declined. What they took before, and refunds, still come. Unfreeze it to fund it or to unload it.",
    } as const;
  }
  return undefined;
}
