import { serverNow } from "./clock.ts";
import { at, byId, say, show } from "./page.ts";
import { patiently } from "./patience.ts";

const TELL_AGAIN_MS = 2_000;
const TELL_AT_LEAST_EVERY_MS = 60_000;

/** The payer's report that the server has not confirmed yet. */
let untold: URLSearchParams | undefined;
let timer: number | undefined;

/** Handles "I've sent the money": shows it at once and tells the server, so that every page of this link shows it. */
export function sayThatItIsSent(): void {
  const page = byId("page");
  showAsSent(String(serverNow()));
  byId("sent")?.focus();
  // Screen readers say "checking" by the focus. This adds the explanation.
  say(byId("soon")?.lastElementChild?.textContent ?? "");
  untold = new URLSearchParams({ kind: "sent", seen: page?.dataset.seen ?? "0" });
  void tell();
}

function showAsSent(sentAtMs: string): void {
  const page = byId("page");
  if (page) page.dataset.sent = sentAtMs;
  show("send", false);
  show("exactly", false);
  show("sent", true);
  byId("check")?.removeAttribute("class");
  byId("details")?.removeAttribute("open");
}

/**
 * Keeps the payer's report on a new page that the server made without it. Drops the report if a transfer has come since or the link is no
 * longer pending.
 */
export function keepSent(before: DOMStringMap): void {
  const { status, seen, sent } = byId("page")?.dataset ?? {};
  if (status !== "pending" || seen !== before.seen) untold = undefined;
  if (untold && !sent && before.sent) showAsSent(before.sent);
}

/** Sends the report until the server confirms it. A phone that comes back from another app often has no working network for a moment. */
export async function tell(waitMs = TELL_AGAIN_MS): Promise<void> {
  clearTimeout(timer);
  const body = untold;
  if (!body) return;
  const isTold = await patiently((signal) => fetch(at("activity"), { method: "POST", body, keepalive: true, signal })).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isTold) timer = window.setTimeout(tell, waitMs, Math.min(waitMs * 2, TELL_AT_LEAST_EVERY_MS));
  else if (untold === body) untold = undefined;
}
