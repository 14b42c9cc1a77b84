import { EXPIRING_FOR_S, LAST_MINUTE_S, LONG_AFTER_S } from "../times.ts";
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

/** Shows a text for `NOTICE_MS` in the line that otherwise shows the age of the news, and says it to screen readers. */
export function showNotice(text: string): void {
  notice = text;
  noticeUntil = performance.now() + NOTICE_MS;
  showAge(false);
  say(text);
}

/**
 * Sets the page's clock to the server's time `nowMs`, as of the request at `askedAt` (of `performance.now()`). So a wrong clock of the
 * phone does not matter, and on a slow network the page shows less time than is left, never more.
 */
export function setClock(nowMs: number, askedAt: number): void {
  serverMs = nowMs;
  heardAt = askedAt;
  heardOn = Date.now() - (performance.now() - askedAt);
}

/**
 * Returns the milliseconds since the request of the last answer, by the longer of two measures. A sleeping phone stops the first measure,
 * and a changed clock shifts the second.
 */
export const silentForMs = () => Math.max(performance.now() - heardAt, Date.now() - heardOn);
export const serverNow = () => serverMs + silentForMs();

/** Returns the seconds until the link expires, at least 0. */
export const secondsLeft = () => Math.max(0, Math.ceil((numberOf("expires") - serverNow()) / 1000));
/** Returns the seconds since the payer reported the money as sent, or NaN before. */
export const secondsSinceSent = () => (serverNow() - numberOf("sent")) / 1000;

export function showTime(offline: boolean): void {
  const timer = byId("timer");
  if (timer) {
    const left = secondsLeft();
    timer.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    sayMilestone(left);
    showUrgency(left);
  }
  showPatience();
  showAge(offline);
}

/** Amber and words under five minutes, red and others under one. */
function showUrgency(left: number): void {
  const urgency = left > EXPIRING_FOR_S ? "none" : left > LAST_MINUTE_S ? "soon" : "now";
  byId("deadline")?.setAttribute("data-urgency", urgency);
  show("hurry", urgency === "soon");
  show("last", urgency === "now");
}

/** Turns "checking" into "still checking" after `LONG_AFTER_S`. Says it once, because impatient payers send the money twice. */
export function showPatience(): void {
  const isLong = secondsSinceSent() > LONG_AFTER_S;
  if (isLong && byId("still")?.hidden) say(`${words("stillChecking")}. ${words("stillCheckingMore")}`);
  show("soon", !isLong);
  show("still", isLong);
}

function sayMilestone(left: number): void {
  for (const minutes of MILESTONES_MIN) {
    if (left === 0 || left > minutes * 60 || said <= minutes) continue;
    said = minutes;
    // When the page opens between two milestones, the earlier one is not announced.
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
  else line.textContent = isStale ? `${offline ? `${words("offline")} ${words("offlineMore")} ` : ""}${ageOf(silentFor)}` : "";
}
