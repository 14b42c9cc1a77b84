import { serverNow } from "./clock.ts";
import { at, byId, heading, say, show } from "./page.ts";
import { patiently } from "./patience.ts";

const TELL_AGAIN_MS = 2_000;
const TELL_AT_LEAST_EVERY_MS = 60_000;

type Kind = "sent" | "unsent";

/** The payer's last message, until the server confirms it. A newer one takes its place, so that the older one is not sent any more. */
let untold: URLSearchParams | undefined;
let kind: Kind = "unsent";
let number = 0;
/** When the server confirmed the last message, of `performance.now()`. */
let toldAt = 0;
let timer: number | undefined;

/** Handles "I've sent the money" and "No, it did not": shows it at once and tells the server, so that every page of this link shows it. */
export function tellThat(message: Kind): void {
  kind = message;
  showMessage(String(serverNow()));
  byId(message === "sent" ? "sent" : "pay")?.focus({ preventScroll: true });
  scrollTo(0, 0);
  // Screen readers say "checking" by the focus. This adds the explanation.
  say((message === "sent" ? byId("soon")?.lastElementChild : heading())?.textContent ?? "");
  // The server keeps the message with the highest number. Its own time is one that all pages of the link share.
  number = Math.max(number + 1, Math.round(serverNow()));
  untold = new URLSearchParams({ kind: message, seen: byId("page")?.dataset.seen ?? "0", number: String(number) });
  void tell();
}

function showMessage(sentAtMs: string): void {
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
}

/** Returns whether an answer that was asked for at this time may lack the payer's last message. */
export const mayLackMessage = (askedAt: number) => untold !== undefined || askedAt < toldAt;

/**
 * Keeps the payer's message on a new page that the server made without it. Drops the message if a transfer has come since or the link is no
 * longer pending.
 */
export function keepMessage(before: DOMStringMap): void {
  const { status, seen, sent } = byId("page")?.dataset ?? {};
  if (status !== "pending" || seen !== before.seen) untold = undefined;
  if (untold && (kind === "sent") !== (sent !== undefined)) showMessage(before.sent ?? "");
}

/** Sends the message until the server confirms it. A phone that comes back from another app often has no working network for a moment. */
export async function tell(waitMs = TELL_AGAIN_MS): Promise<void> {
  clearTimeout(timer);
  const body = untold;
  if (!body) return;
  const isTold = await patiently((signal) => fetch(at("activity"), { method: "POST", body, keepalive: true, signal })).then(
    ({ ok }) => ok,
    () => false,
  );
  if (untold !== body) return;
  if (!isTold) timer = window.setTimeout(tell, waitMs, Math.min(waitMs * 2, TELL_AT_LEAST_EVERY_MS));
  else {
    untold = undefined;
    toldAt = performance.now();
  }
}
