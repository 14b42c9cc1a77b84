import { serverNow } from "./clock.ts";
import { at, byId, say, show } from "./page.ts";
import { patiently } from "./patience.ts";

const TELL_AGAIN_MS = 2_000;
const TELL_AT_LEAST_EVERY_MS = 60_000;

/** What the payer has said and the server does not know yet. */
let untold: URLSearchParams | undefined;
let timer: number | undefined;

/** "I've sent the money." Shown at once; the server is told meanwhile, and every page of this link then says so. */
export function sayThatItIsSent(): void {
  const page = byId("page");
  showAsSent(String(serverNow()));
  byId("sent")?.focus();
  // The focus has said that we check; this is what it means.
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

/** The server has made the page anew and may not know yet. Where money has come since, or all is over, the word is about nothing any more. */
export function keepSent(before: DOMStringMap): void {
  const { status, seen, sent } = byId("page")?.dataset ?? {};
  if (status !== "pending" || seen !== before.seen) untold = undefined;
  if (untold && !sent && before.sent) showAsSent(before.sent);
}

/** Until the server knows: who has just come back from another app often has no network for a moment, or one that has died. */
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
