import { byId, numberOf, say, show, words } from "./page.ts";

const MILESTONES_MIN = [10, 5, 1];
const STALE_AFTER_S = 30;
const LONG_AFTER_S = 60;

let serverMs = 0;
let heardAt = 0;
let heardOn = 0;
let said = 99;
let ageShownUntil = 0;

export function showAgeFor(ms: number): void {
  ageShownUntil = performance.now() + ms;
}

/** The server has said what time it is. Its clock counts from here on, however wrong the phone's is. */
export function setClock(nowMs: number): void {
  serverMs = nowMs;
  heardAt = performance.now();
  heardOn = Date.now();
}

/** Of two measures the longer one: a phone that slept stops the first, and somebody who sets the clock back turns the second. */
export const silentForMs = () => Math.max(performance.now() - heardAt, Date.now() - heardOn);
const now = () => serverMs + silentForMs();

/** Seconds until the link's time is over. */
export const secondsLeft = () => Math.max(0, Math.ceil((numberOf("expires") - now()) / 1000));
/** Seconds since the payer said that the money is sent; NaN before. */
export const secondsSinceSent = () => (now() - numberOf("sent")) / 1000;
export const serverNow = () => now();

export function showTime(offline: boolean): void {
  const timer = byId("timer");
  if (timer) {
    const left = secondsLeft();
    timer.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    sayMilestone(left);
    show("hurry", left <= 5 * 60);
    const isLong = secondsSinceSent() > LONG_AFTER_S;
    show("soon", !isLong);
    show("still", isLong);
  }
  showAge(offline);
}

function sayMilestone(left: number): void {
  for (const minutes of MILESTONES_MIN) {
    if (left === 0 || left > minutes * 60 || said <= minutes) continue;
    said = minutes;
    // A page that is opened between two milestones does not say the one that has passed.
    if (left > minutes * 60 - 30) say(words(minutes === 1 ? "minuteLeft" : "minutesLeft", minutes));
  }
}

function showAge(offline: boolean): void {
  const line = byId("age");
  if (!line) return;
  const silentFor = Math.round(silentForMs() / 1000);
  const isStale = offline || silentFor > STALE_AFTER_S || performance.now() < ageShownUntil;
  const ago = silentFor < 120 ? words("secondsAgo", silentFor) : words("minutesAgo", Math.floor(silentFor / 60));
  line.textContent = isStale ? `${offline ? `${words("offline")} ` : ""}${ago}` : "";
}
