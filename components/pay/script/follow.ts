import { secondsLeft, secondsSinceSent, setClock, showTime, silentForMs } from "./clock.ts";
import { tellFrame } from "./frame.ts";
import { goBackSoon } from "./leave.ts";
import { at, byId, numberOf, say, statusShown, versionShown, words } from "./page.ts";

const POLL_MS = 10_000;
const POLL_AFTER_SENT_MS = 3_000;
/** Paid or expired: little may still happen. */
const POLL_WHEN_OVER_MS = 30_000;
/** Who waits this long has put the phone away; the battery is theirs. */
const KEEN_FOR_S = 300;
const LONGEST_POLL_MS = 60_000;
const PATIENCE_MS = 15_000;

let failures = 0;
let timer: number | undefined;
let offline = !navigator.onLine;
let asking: AbortController | undefined;

/** One question at a time: a newer one ends the older, which may hang on a connection that died with the last network. */
async function ask(url: string): Promise<string> {
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  const patience = setTimeout(() => mine.abort(), PATIENCE_MS);
  try {
    const answer = await fetch(url, { cache: "no-store", signal: mine.signal });
    if (!answer.ok) throw new Error(String(answer.status));
    return await answer.text();
  } finally {
    clearTimeout(patience);
    if (asking === mine) asking = undefined;
  }
}

async function attempt(run: () => Promise<void>): Promise<void> {
  clearTimeout(timer);
  try {
    await run();
    failures = 0;
  } catch {
    // Another question has taken its place, or there is no answer: the page says how old its news is, and asks again later.
    if (asking) return;
    failures = Math.min(failures + 1, 4);
  }
  schedule();
}

/** The small question: has anything changed? */
export const check = () =>
  attempt(async () => {
    const { version, now } = JSON.parse(await ask(at("status")));
    if (version !== versionShown()) return renew();
    setClock(now);
  });

/** The whole page at once, for a payer who comes back: one round trip, whatever has happened meanwhile. */
export const look = () => attempt(renew);

function schedule(): void {
  clearTimeout(timer);
  if (document.hidden || offline) return;
  timer = window.setTimeout(check, Math.min(LONGEST_POLL_MS, pollMs() * 2 ** failures));
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
  const isNews = next.dataset.version !== here.dataset.version;
  if (isNews) {
    here.replaceWith(next);
    document.title = fresh.title;
    arrive();
    byId("state")?.focus({ preventScroll: true });
    scrollTo(0, 0);
    say(next.dataset.news ?? "");
  }
  setClock(Number(next.dataset.now));
  showTime(offline);
}

/** What a state does when it is first seen. */
function arrive(): void {
  tellFrame();
  goBackSoon();
}

function tick(): void {
  showTime(offline);
  if (byId("timer") && secondsLeft() === 0 && silentForMs() > 2_000 && !asking && !offline && failures === 0) void check();
}

function turn(isOffline: boolean): void {
  if (offline === isOffline) return;
  offline = isOffline;
  say(words(offline ? "offline" : "online"));
  showTime(offline);
  if (offline) clearTimeout(timer);
}

export function follow(): void {
  setClock(numberOf("now"));
  document.addEventListener("visibilitychange", () => (document.hidden ? clearTimeout(timer) : void look()));
  window.addEventListener("offline", () => turn(true));
  window.addEventListener("online", () => {
    turn(false);
    void look();
  });
  // The first one is of the page that has just come.
  window.addEventListener("pageshow", ({ persisted }) => (persisted || silentForMs() > 1_000 ? void look() : schedule()));
  setInterval(tick, 1_000);
  showTime(offline);
  arrive();
}
