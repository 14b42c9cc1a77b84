import { secondsLeft, secondsSinceSent, setClock, showTime, silentForMs } from "./clock.ts";
import { followHeight, tellFrame } from "./frame.ts";
import { goBackSoon, returning } from "./leave.ts";
import { at, byId, heading, numberOf, say, sayNews, statusShown, versionShown, words } from "./page.ts";
import { patiently } from "./patience.ts";
import { keepMessage, mayLackMessage, takeUp, tell } from "./sent.ts";

/** The first poll comes soon, because a page often opens while the money is on its way. */
const FIRST_POLL_MS = 2_000;
const POLL_MS = 10_000;
const POLL_AFTER_SENT_MS = 3_000;
/** For a paid or expired link, which rarely changes again. */
const POLL_WHEN_OVER_MS = 20_000;
/** After this time the payer has probably put the phone away, so the page polls less often to save the battery. */
const KEEN_FOR_S = 300;
const MAX_POLL_MS = 60_000;

let failures = 0;
let timer: number | undefined;
let offline = !navigator.onLine;
let asking: AbortController | undefined;
let askedAt = 0;
let isOpenKnown = false;

/**
 * Returns the text of an answer. Aborts an earlier request, which may hang on the dead connection of an earlier network. Throws for any
 * failure.
 */
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
    // An answer proves that the network works, whatever the browser reports.
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
    // A newer request has replaced this one, or no answer came. Without an answer the page shows the age of its news and polls again later.
    if (asking) return "another asks";
    failures = Math.min(failures + 1, 4);
    schedule();
    return "not answered";
  }
}

/**
 * Polls the status, and loads the page if its version changed. The first poll is a POST, which records in the merchant's timeline that the
 * page is open.
 */
export const check = () =>
  attempt(async () => {
    const { version, now } = JSON.parse(await ask(at("status"), isOpenKnown ? "GET" : "POST"));
    isOpenKnown = true;
    if (!isShown(version)) return renew();
    setClock(now, askedAt);
  });

/** Loads the whole page for a payer who comes back. So every change since then arrives in one round trip. */
export const look = () => attempt(renew);

function schedule(baseMs = pollMs()): void {
  clearTimeout(timer);
  if (document.hidden) return;
  // A browser may be wrong about being offline, so the page still polls, less often.
  if (offline) failures = Math.max(failures, 2);
  timer = window.setTimeout(check, Math.min(MAX_POLL_MS, baseMs * 2 ** failures));
}

function pollMs(): number {
  if (statusShown() !== "pending") return POLL_WHEN_OVER_MS;
  return secondsSinceSent() < KEEN_FOR_S ? POLL_AFTER_SENT_MS : POLL_MS;
}

/** Loads the page. If it reads differently, replaces the old one, focuses its heading and says the news. */
async function renew(): Promise<void> {
  const fresh = new DOMParser().parseFromString(await ask(location.href), "text/html");
  const next = fresh.getElementById("page");
  const here = byId("page");
  if (!next || !here) throw new Error("not the page");
  if (!isShown(next.dataset.version)) {
    here.replaceWith(next);
    document.title = fresh.title;
    arrive();
    keepMessage(here.dataset);
    heading()?.focus({ preventScroll: true });
    scrollTo(0, 0);
    sayNews(`${newsOf(here, next) || heading()?.textContent} ${returning()}`);
  }
  setClock(Number(next.dataset.now), askedAt);
  showTime(offline);
}

/** Returns a version without its last part, which says whether the payer reported the money as sent. */
export const known = (version = "") => version.replace(/\d$/, "");

/** Returns whether the page shows this version already. Ignores the last part if the answer may lack the payer's last message. */
const isShown = (version = "") => version === versionShown() || (mayLackMessage(askedAt) && known(version) === known(versionShown()));

/** Returns the sentences of the new page that the old page did not have. */
function newsOf({ dataset: here }: HTMLElement, { dataset: next }: HTMLElement): string {
  const before: [string, string][] = JSON.parse(here.news ?? "[]");
  const after: [string, string][] = JSON.parse(next.news ?? "[]");
  const fresh = after.filter(([key]) => !before.some(([old]) => old === key));
  return fresh.map(([, text]) => text).join(" ");
}

/** Runs once for each state of the page that is shown. */
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
  document.documentElement.classList.toggle("offline", offline);
  say(offline ? `${words("offline")} ${words("offlineMore")}` : words("online"));
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
  // The first `pageshow` belongs to the page's own load, even if a slow image delayed it.
  let isFirst = true;
  window.addEventListener("pageshow", () => {
    if (isFirst) schedule(FIRST_POLL_MS);
    else void look();
    isFirst = false;
  });
  setInterval(tick, 1_000);
  document.documentElement.classList.toggle("offline", offline);
  showTime(offline);
  takeUp();
  arrive();
  followHeight();
}
