import { payer } from "#app/pay/payer.ts";
import { PayPage } from "#components/pay/page.tsx";
import { RETURNED_BECAUSE } from "#components/pay/parts.tsx";
import { NO_SCRIPT_RETURN_AFTER_S } from "#components/pay/times.ts";
import type { PayView } from "#components/pay/view.ts";
import { fillText } from "#components/pay/words/index.ts";
import { findPayerView } from "#services/checkout/index.ts";
import { documentResponse } from "../document.tsx";
import { languageOf } from "../language.ts";
import { payerRoute } from "../payer-route.ts";
import { PAGE_REFUSALS } from "../refusals.tsx";
import { applySimulation } from "../simulated.ts";
import { NEWS_MAY_COME_FOR_MS, toPayView } from "../to-view.ts";

const CHECK_EVERY_S = 30;

/** The payer's page. A GET opens no bank account and records no activity. */
export const GET = payerRoute(PAGE_REFUSALS, async (request, reference) => {
  const found = await findPayerView(payer, reference);
  if (!found) return undefined;
  const { searchParams } = new URL(request.url);
  const chosen = searchParams.get("lang");
  const language = languageOf(request, chosen);
  const view = toPayView(applySimulation(found, searchParams.get("simulate")), {
    language,
    chosen: chosen === language,
    now: new Date(),
    stays: searchParams.has("stay"),
    isPanelOpen: searchParams.has("panel"),
  });
  return documentResponse({
    status: 200,
    language,
    title: `${titleOf(view)}${markOf(view)}`,
    brandColour: found.business.brandColour,
    body: <PayPage view={view} />,
    data: dataOf(view, found.link.status),
    refresh: refreshOf(view),
    preview: { title: previewTitleOf(view), image: `${view.url}/preview.png` },
    framers: view.embedOrigins,
  });
});

const payTitle = ({ words, amount, business }: PayView) => fillText(words, "payTitle", { amount, name: business.name });
/** Marks a test link in the title, and so on paper and in a messenger too. */
const markOf = ({ testMode }: PayView) => (testMode ? " (test)" : "");

/** Returns merchant and amount. Only a link that waits for money says "pay", so that a shared receipt does not ask its reader to pay. */
function previewTitleOf(view: PayView): string {
  const asksToPay = view.state === "awaiting" && !view.sent && !view.bankIsDown;
  return `${asksToPay ? payTitle(view) : `${view.amount} · ${view.business.name}`}${markOf(view)}`;
}

function titleOf(view: PayView): string {
  const { words, amount, business } = view;
  switch (view.state) {
    case "awaiting":
      if (view.bankIsDown) return `${words.bankDown} · ${business.name}`;
      return view.sent ? `${words.checking} · ${business.name}` : payTitle(view);
    case "paid":
      return `${words.paid} ${amount} · ${business.name}`;
    case "expired":
      return `${view.orderIsPaid ? words.orderIsPaid : words.expired} · ${business.name}`;
    case "suspended":
      return `${words.suspended} · ${business.name}`;
  }
}

/**
 * Returns the sentences that a screen reader says after the page has changed by itself. The script skips a key that the page had before.
 */
function newsOf(view: PayView): [key: string, text: string][] {
  const { state, words, bankIsDown, returned, amount: exact, newLink } = view;
  return [
    ...(state === "awaiting" ? [] : [[state, `${words[state]}.`] as [string, string]]),
    ...(bankIsDown ? [["bank", `${words.bankDown}.`] as [string, string]] : []),
    ...(newLink ? [[newLink, newsOfOtherLink(view)] as [string, string]] : []),
    ...returned.map(({ amount, reason, sentBack }, i): [string, string] => [
      `${i}-${sentBack}`,
      `${fillText(words, RETURNED_BECAUSE[reason], { amount, exact })} ${sentBack ? words.wentBack : words.goesBack}`,
    ]),
  ];
}

function newsOfOtherLink({ words, orderIsPaid, sent, business: { name } }: PayView): string {
  if (orderIsPaid) return `${words.orderIsPaid}. ${fillText(words, "orderPaid", { name })}`;
  return sent ? words.waitFirst : fillText(words, "newLink", { name });
}

const SPOKEN = [
  "copied",
  "copyByHand",
  "checking",
  "noNews",
  "nothingNew",
  "noAnswer",
  "stillChecking",
  "stillCheckingMore",
  "minutesLeft",
  "minuteLeft",
  "secondsAgo",
  "minutesAgo",
  "offline",
  "offlineMore",
  "online",
] as const;

/** Returns the values that the script reads, with the sentences that it says. */
function dataOf(view: PayView, status: string): Record<string, string> {
  const { words, sent, embedOrigins } = view;
  const news = newsOf(view);
  return {
    version: view.version,
    status,
    seen: String(view.transfersSeen),
    said: String(view.messageNumber),
    now: String(view.nowMs),
    expires: String(view.expiresAtMs),
    ...(sent && { sent: String(sent.atMs) }),
    ...(news.length > 0 && { news: JSON.stringify(news) }),
    ...(embedOrigins.length > 0 && { embed: embedOrigins.join(" ") }),
    words: JSON.stringify(Object.fromEntries(SPOKEN.map((key) => [key, words[key]]))),
  };
}

function refreshOf({ state, returnTo, nowMs, expiresAtMs }: PayView) {
  const mayStillChange = state !== "paid" && nowMs - expiresAtMs < NEWS_MAY_COME_FOR_MS;
  if (mayStillChange) return { seconds: CHECK_EVERY_S };
  if (state === "paid" && returnTo?.automatic) return { seconds: NO_SCRIPT_RETURN_AFTER_S, url: returnTo.url };
  return undefined;
}
