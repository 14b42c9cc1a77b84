import { secondsLeft, secondsSinceSent, setClock, showTime, silentForMs } from "./clock.ts";
import { followHeight, tellFrame } from "./frame.ts";
import { goBackSoon, returning } from "./leave.ts";
import { at, byId, numberOf, say, sayNews, statusShown, versionShown, words } from "./page.ts";
import { patiently } from "./patience.ts";
import { keepSent, tell } from "./sent.ts";

/** A page often opens while the money is on its way: the first question comes soon. */
const FIRST_POLL_MS = 2_000;
const POLL_MS = 10_000;
const POLL_AFTER_SENT_MS = 3_000;
/** Paid or expired: little may still happen. */
const POLL_WHEN_OVER_MS = 20_000;
/** Who waits this long has put the phone away; the battery is theirs. */
const KEEN_FOR_S = 300;
const MAX_POLL_MS = 60_000;

let failures = 0;
let timer: number | undefined;
let offline = !navigator.onLine;
let asking: AbortController | undefined;
let askedAt = 0;
let isOpenKnown = false;

/** One question at a time: a newer one ends the older, which may hang on a connection that died with the last network. */
async function ask(url: string, method = "GET"): Promise<string> {
  askedAt = performance.now();
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  try {
    const text = await patiently(async (signal) => {
      const answer = await fetch(url, { method, cache: "no-store", signal });
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.text();
    }, mine);
    // Whatever the browser says of the network: somebody has answered.
    turn(false);
    return text;
  } finally {
    if (asking === mine) asking = undefined;
  }
}

type Outcome = "answered" | "not answered" | "another asks";

async function attempt(run: () => Promise<void>): Promise<Outcome> {
  clearTimeout(timer);
  try {
    await run();
    failures = 0;
    schedule();
    return "answered";
  } catch {
    // Another question has taken its place, or there is no answer: the page says how old its news is, and asks again later.
    if (asking) return "another asks";
    failures = Math.min(failures + 1, 4);
    schedule();
    return "not answered";
  }
}

/** The small question: has anything changed? The first time it says as well, for the merchant's timeline, that the page is open. */
export const check = () =>
  attempt(async () => {
    const { version, now } = JSON.parse(await ask(at("status"), isOpenKnown ? "GET" : "POST"));
    isOpenKnown = true;
    if (version !== versionShown()) return renew();
    setClock(now, askedAt);
  });

/** The whole page at once, for a payer who comes back: one round trip, whatever has happened meanwhile. */
export const look = () => attempt(renew);

function schedule(baseMs = pollMs()): void {
  clearTimeout(timer);
  if (document.hidden) return;
  // A browser may be wrong about being offline, so it is tried now and then.
  if (offline) failures = Math.max(failures, 2);
  timer = window.setTimeout(check, Math.min(MAX_POLL_MS, baseMs * 2 ** failures));
}

function pollMs(): number {
  if (statusShown() !== "pending") return POLL_WHEN_OVER_MS;
  return secondsSinceSent() < KEEN_FOR_S ? POLL_AFTER_SENT_MS : POLL_MS;
}

/** Puts the new state in the place of the old, and the reader at its heading. What reads the same is left alone. */
async function renew(): Promise<void> {
  const fresh = new DOMParser().parseFromString(await ask(location.href), "text/html");
  const next = fresh.getElementById("page");
  const here = byId("page");
  if (!next || !here) throw new Error("not the page");
  if (isNews(here, next)) {
    here.replaceWith(next);
    document.title = fresh.title;
    arrive();
    const heading = byId("state");
    heading?.focus({ preventScroll: true });
    scrollTo(0, 0);
    keepSent(here.dataset);
    sayNews(`${newsOf(here, next) || heading?.textContent} ${returning()}`);
  }
  setClock(Number(next.dataset.now), askedAt);
  showTime(offline);
}

/** A version without its last part: that the payer has said that the money is sent is no news where they said it. */
export const known = (version = "") => version.replace(/\d$/, "");

/** What the new page says that the old one did not. */
function newsOf({ dataset: here }: HTMLElement, { dataset: next }: HTMLElement): string {
  const before: [string, string][] = JSON.parse(here.news ?? "[]");
  const after: [string, string][] = JSON.parse(next.news ?? "[]");
  const fresh = after.filter(([key]) => !before.some(([old]) => old === key));
  return fresh.map(([, text]) => text).join(" ");
}

function isNews({ dataset: here }: HTMLElement, { dataset: next }: HTMLElement): boolean {
  const isSame = here.version === next.version || (here.sent !== undefined && known(here.version) === known(next.version));
  if (isSame) here.version = next.version;
  return !isSame;
}

/** What a state does when it is first seen. */
function arrive(): void {
  tellFrame();
  goBackSoon();
}

function tick(): void {
  showTime(offline);
  const isOver = byId("timer") && secondsLeft() === 0 && silentForMs() > 2_000;
  if (isOver && !asking && !offline && !document.hidden && failures === 0) void check();
}

function turn(isOffline: boolean): void {
  if (offline === isOffline) return;
  offline = isOffline;
  say(words(offline ? "offline" : "online"));
  showTime(offline);
}

export function follow(): void {
  const [page] = performance.getEntriesByType("navigation");
  setClock(numberOf("now"), page instanceof PerformanceNavigationTiming ? page.requestStart : 0);
  document.addEventListener("visibilitychange", () => (document.hidden ? clearTimeout(timer) : void look()));
  window.addEventListener("offline", () => turn(true));
  window.addEventListener("online", () => {
    turn(false);
    void tell();
    void look();
  });
  // The first one is of the page that has just come, however long its pictures took.
  let isFirst = true;
  window.addEventListener("pageshow", () => {
    if (isFirst) schedule(FIRST_POLL_MS);
    else void look();
    isFirst = false;
  });
  setInterval(tick, 1_000);
  showTime(offline);
  arrive();
  followHeight();
}
