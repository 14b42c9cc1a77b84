import { serverNow, showPatience } from "./clock.ts";
import { at, byId, heading, reference, say, show } from "./page.ts";
import { patiently } from "./patience.ts";

const TELL_AGAIN_MS = 2_000;
const TELL_AT_LEAST_EVERY_MS = 60_000;
const KEPT_AS = `said:${reference}`;

type Kind = "sent" | "unsent";
interface Message {
  kind: Kind;
  /** The transfers that the page showed. */
  seen: string;
  number: number;
}

/** The payer's last message, until the server confirms it. A newer message replaces it, and the older one is not sent any more. */
let untold: Message | undefined;
/** The number of this page's last message. The server keeps the message with the highest. */
let number = 0;
/** The `performance.now()` at which the server confirmed the last message. */
let toldAt = 0;
let timer: number | undefined;

/** Handles "I've sent the money" and "No, it did not": shows it at once and tells the server, so that every page of this link shows it. */
export function tellThat(kind: Kind): void {
  const { seen = "0", said } = byId("page")?.dataset ?? {};
  number = Math.max(number, Number(said)) + 1;
  keep({ kind, seen, number });
  showMessage(kind, String(serverNow()));
  byId(kind === "sent" ? "sent" : "pay")?.focus({ preventScroll: true });
  scrollTo(0, 0);
  // Screen readers say "checking" by the focus. This adds the explanation.
  say((kind === "sent" ? byId("soon")?.lastElementChild : heading())?.textContent ?? "");
  void tell(TELL_AGAIN_MS, true);
}

function showMessage(kind: Kind, sentAtMs: string): void {
  const page = byId("page");
  const isSent = kind === "sent";
  if (page) {
    page.dataset.version = (page.dataset.version ?? "").replace(/\d$/, isSent ? "1" : "0");
    if (isSent) page.dataset.sent = sentAtMs;
    else delete page.dataset.sent;
  }
  show("pay", !isSent);
  show("exactly", !isSent);
  show("sent", isSent);
  byId("check")?.classList.toggle("needs-no-js", !isSent);
  byId("doubt")?.removeAttribute("open");
  showPatience();
  document.title = heading()?.textContent ?? document.title;
}

/** Keeps the message over a reload too: a payer who was offline may leave the page. A browser may forbid that. */
function keep(message: Message | undefined): void {
  untold = message;
  try {
    if (message) localStorage.setItem(KEPT_AS, JSON.stringify(message));
    else localStorage.removeItem(KEPT_AS);
  } catch {
    return;
  }
}

/** Sends the message that an earlier page of this link could not send. */
export function takeUp(): void {
  try {
    const kept: Message | null = JSON.parse(localStorage.getItem(KEPT_AS) ?? "null");
    if (!kept) return;
    ({ number } = kept);
    untold = kept;
  } catch {
    return;
  }
  keepMessage(byId("page")?.dataset ?? {});
  void tell();
}

/** Returns whether an answer that was asked for at this time may lack the payer's last message. */
export const mayLackMessage = (askedAt: number) => untold !== undefined || askedAt < toldAt;

/**
 * Keeps the payer's message on a page that the server made without it. Drops the message if a transfer has come since or the link is paid.
 */
export function keepMessage(before: DOMStringMap): void {
  const { status, seen, sent } = byId("page")?.dataset ?? {};
  if (status === "success" || seen !== untold?.seen) keep(undefined);
  if (untold && status === "pending" && (untold.kind === "sent") !== (sent !== undefined))
    showMessage(untold.kind, before.sent ?? String(serverNow()));
}

/**
 * Tells the message until the server confirms it. A phone that comes back from another app often has no working network for a moment. A
 * message superseded by another page's newer one is sent once more, with a higher number, if the payer pressed just now. If it waited for a
 * network, it is dropped.
 */
export async function tell(waitMs = TELL_AGAIN_MS, isFresh = false): Promise<void> {
  clearTimeout(timer);
  const message = untold;
  if (!message) return;
  const body = new URLSearchParams({ ...message, number: String(message.number) });
  const answer = await patiently((signal) => fetch(at("activity"), { method: "POST", body, keepalive: true, signal })).catch(
    () => undefined,
  );
  if (untold !== message) return;
  if (answer?.status === 409 && isFresh) {
    number = (await answer.json().catch(() => message)).number + 1;
    if (untold !== message) return;
    keep({ ...message, number });
    return tell();
  }
  if (!answer?.ok && answer?.status !== 409) timer = window.setTimeout(tell, waitMs, Math.min(waitMs * 2, TELL_AT_LEAST_EVERY_MS));
  else {
    keep(undefined);
    toldAt = performance.now();
  }
}
