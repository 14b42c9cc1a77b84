import type { TimelineEntry as Entry } from "#components/page/timeline.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { Time } from "#components/ui/time.tsx";
import { formatMoney } from "#lib/money.ts";
import { plainText } from "#lib/plain-text.ts";
import { readableHost } from "#lib/readable-host.ts";
import type { PaymentLink, TimelineEntry } from "#services/checkout/index.ts";

type Of<Type extends TimelineEntry["type"]> = Extract<TimelineEntry, { type: Type }>;
type Sentence = Omit<Entry, "key" | "at">;

/** Returns what happened to a link as sentences, newest first. */
export function timelineOf(link: PaymentLink, entries: readonly TimelineEntry[], now: Date): Entry[] {
  const said = entries.map((entry, at) => ({ key: `${at}-${entry.type}`, at: entry.at, ...sentenceOf(link, entry, now) }));
  return said.toReversed();
}

function sentenceOf(link: PaymentLink, entry: TimelineEntry, now: Date): Sentence {
  switch (entry.type) {
    case "created":
      return { text: link.replaces ? "The link was created in place of an expired one" : "The link was created" };
    case "expired":
      return { text: "The link expired", tone: "warning", detail: "Money that the bank takes from then on goes back to its sender." };
    case "transfer":
      return ofTransfer(link, entry);
    case "refund":
      return ofRefund(entry);
    case "posting":
      return ofPosting(entry);
    case "event":
      return ofEvent(entry);
    case "delivery":
      return ofDelivery(entry);
    default:
      return { text: ACTIVITIES[entry.type], detail: oftenOf(entry, now) };
  }
}

const ACTIVITIES = {
  opened: "The payment page was opened",
  copied: "The account or the amount was copied",
  sent: "The customer said that the money is sent",
  unsent: "The customer took that back: the money is not sent yet",
  returned: "The customer went back to your shop",
};

/** Visits are sampled, so their number is the least that it can be. */
function oftenOf({ times, lastAt }: { times: number; lastAt: Date }, now: Date): Sentence["detail"] {
  if (times < 2) return undefined;
  return (
    <>
      At least {times} times, last <Time at={lastAt} now={now} />
    </>
  );
}

function ofTransfer(link: PaymentLink, { amount, classification, disposition, senderName, sentBack }: Of<"transfer">): Sentence {
  const came = `${formatMoney(amount)} came${senderName ? ` from ${plainText(senderName)}` : ""}`;
  if (disposition === "accepted") return { text: `${came}, exactly what was due`, tone: "success" };
  if (disposition === "recalled") {
    return { text: came, tone: "danger", detail: "It paid the link. Later the bank took it back." };
  }
  const where = sentBack ? "It went back to the account that sent it." : "It goes back to the account that sent it.";
  return {
    text: `${came}${WRONG[classification](formatMoney(link.amount))}`,
    tone: "warning",
    detail: `${where} Your wallet does not move.`,
  };
}

const WRONG: Record<Of<"transfer">["classification"], (due: string) => string> = {
  underpaid: (due) => `, but ${due} was due`,
  overpaid: (due) => `, but only ${due} was due`,
  late: () => ", after the link had expired",
  duplicate: () => ", but the link was paid already",
  exact: () => ", but it could not be taken",
};

const REFUNDS: Record<Of<"refund">["status"], (sum: string) => Sentence> = {
  needs_account: (sum) => ({ text: `A refund of ${sum} waits for an account`, detail: "It is set aside in your wallet." }),
  processing: (sum) => ({ text: `A refund of ${sum} is on its way`, detail: "It is set aside in your wallet." }),
  paid: (sum) => ({ text: `${sum} was refunded to the customer`, tone: "warning" }),
  failed: (sum) => ({ text: `A refund of ${sum} failed`, tone: "danger", detail: "The money is free in your wallet again." }),
  reversed: (sum) => ({ text: `A refund of ${sum} came back`, tone: "warning", detail: "The money is in your wallet again." }),
};

function ofRefund({ amount, status }: Of<"refund">): Sentence {
  const sentence = REFUNDS[status](formatMoney(amount));
  return status === "paid" ? { ...sentence, figure: <Amount minor={-amount.minor} currency={amount.currency} signed /> } : sentence;
}

const ofPosting = ({ amount, direction }: Of<"posting">): Sentence => ({
  text: direction === "credit" ? "Your wallet received the money" : "Your wallet paid the money back to the bank",
  tone: direction === "credit" ? "success" : "danger",
  figure: <Amount minor={direction === "credit" ? amount.minor : -amount.minor} currency={amount.currency} signed />,
});

const EVENTS: Record<string, string> = {
  "checkout.success": "Your servers can read that the link is paid",
  "checkout.expired": "Your servers can read that the link expired",
  "checkout.transfer_rejected": "Your servers can read that a transfer goes back",
  "checkout.refund_paid": "Your servers can read that a refund was paid",
  "checkout.refund_failed": "Your servers can read that a refund failed",
  "checkout.refund_reversed": "Your servers can read that a refund came back",
  "checkout.transfer_recalled": "Your servers can read that the bank took the money back",
};

const ofEvent = ({ eventType, sequence }: Of<"event">): Sentence => ({
  text: EVENTS[eventType] ?? "Your servers can read this",
  detail: (
    <>
      Event <span className="font-mono">{eventType}</span>, number {String(sequence)}
    </>
  ),
});

function ofDelivery({ eventType, url, status, attemptCount, lastResponseStatus }: Of<"delivery">): Sentence {
  const tries = attemptCount === 1 ? "1 try" : `${attemptCount} tries`;
  const answered = lastResponseStatus === null ? "It did not answer" : `It answered ${lastResponseStatus}`;
  const event = <span className="font-mono">{eventType}</span>;
  const host = readableHost(url);
  switch (status) {
    case "delivered":
      return {
        text: `${host} was told`,
        tone: "success",
        detail: (
          <>
            {event}, after {tries}
          </>
        ),
      };
    case "failed":
      return {
        text: `${host} could not be told`,
        tone: "danger",
        detail: (
          <>
            {event}. {answered}; it was given up after {tries}.
          </>
        ),
      };
    case "pending":
      return {
        text: `${host} will be told`,
        detail:
          attemptCount === 0 ? (
            event
          ) : (
            <>
              {event}. {answered}; tried {attemptCount} times so far.
            </>
          ),
      };
  }
}
