import { EXPIRING_FOR_S, LONG_AFTER_S } from "../times.ts";
import { byId, numberOf, say, show, words } from "./page.ts";

const MILESTONES_MIN = [10, 5, 1];
const STALE_AFTER_S = 30;
const NOTICE_MS = 6_000;

let serverMs = 0;
let heardAt = 0;
let heardOn = 0;
let said = 99;
let notice = "";
let noticeUntil = 0;

/** For a moment, in the place where the page says how old its news is: seen and said. */
export function showNotice(text: string): void {
  notice = text;
  noticeUntil = performance.now() + NOTICE_MS;
  showAge(false);
  say(text);
}

/**
 * The server has said what time it is, to a question that was asked at `askedAt` (of `performance.now()`). Its clock counts from then on,
 * however wrong the phone's is: on a slow network the page shows less time than there is, never more.
 */
export function setClock(nowMs: number, askedAt: number): void {
  serverMs = nowMs;
  heardAt = askedAt;
  heardOn = Date.now() - (performance.now() - askedAt);
}

/** Of two measures the longer one: a phone that slept stops the first, and somebody who sets the clock back turns the second. */
export const silentForMs = () => Math.max(performance.now() - heardAt, Date.now() - heardOn);
export const serverNow = () => serverMs + silentForMs();

/** Seconds until the link's time is over. */
export const secondsLeft = () => Math.max(0, Math.ceil((numberOf("expires") - serverNow()) / 1000));
/** Seconds since the payer said that the money is sent; NaN before. */
export const secondsSinceSent = () => (serverNow() - numberOf("sent")) / 1000;

export function showTime(offline: boolean): void {
  const timer = byId("timer");
  if (timer) {
    const left = secondsLeft();
    timer.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    sayMilestone(left);
    show("hurry", left <= EXPIRING_FOR_S);
  }
  showPatience();
  showAge(offline);
}

/** After a while "checking" becomes "still checking". Said once, for it is then that people send twice. */
function showPatience(): void {
  const isLong = secondsSinceSent() > LONG_AFTER_S;
  if (isLong && byId("still")?.hidden) say(`${words("stillChecking")}. ${words("stillCheckingMore")}`);
  show("soon", !isLong);
  show("still", isLong);
}

function sayMilestone(left: number): void {
  for (const minutes of MILESTONES_MIN) {
    if (left === 0 || left > minutes * 60 || said <= minutes) continue;
    said = minutes;
    // A page that is opened between two milestones does not say the one that has passed.
    if (left > minutes * 60 - 30) say(words(minutes === 1 ? "minuteLeft" : "minutesLeft", minutes));
  }
}

const ageOf = (seconds: number) => (seconds < 120 ? words("secondsAgo", seconds) : words("minutesAgo", Math.floor(seconds / 60)));

function showAge(offline: boolean): void {
  const line = byId("age");
  if (!line) return;
  const silentFor = Math.round(silentForMs() / 1000);
  const isStale = offline || silentFor > STALE_AFTER_S;
  if (performance.now() < noticeUntil) line.textContent = notice;
  else line.textContent = isStale ? `${offline ? `${words("offline")} ` : ""}${ageOf(silentFor)}` : "";
}
