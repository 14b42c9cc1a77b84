import { DAY_MS, HOUR_MS, MINUTE_MS } from "#lib/time.ts";

const lagos = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "Africa/Lagos", hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...options });

const THIS_YEAR = lagos({ day: "numeric", month: "short" });
const OTHER_YEAR = lagos({ day: "numeric", month: "short", year: "numeric" });
const EXACT = lagos({ day: "numeric", month: "short", year: "numeric", second: "2-digit" });

const yearIn = (date: Date) => new Date(date.getTime() + HOUR_MS).getUTCFullYear();

/** Returns the distance to `now` if it is less than a day, and otherwise the date and time in Lagos, with the year if it is another one. */
export function timeText(at: Date, now: Date): string {
  const distance = Math.abs(now.getTime() - at.getTime());
  if (distance < DAY_MS) return distanceText(distance, at > now);
  return (yearIn(at) === yearIn(now) ? THIS_YEAR : OTHER_YEAR).format(at);
}

function distanceText(distance: number, isAhead: boolean): string {
  if (distance < MINUTE_MS) return isAhead ? "in a moment" : "just now";
  const amount = distance < HOUR_MS ? `${Math.floor(distance / MINUTE_MS)} min` : `${Math.floor(distance / HOUR_MS)} h`;
  return isAhead ? `in ${amount}` : `${amount} ago`;
}

/** Returns the time to the second with its zone: `14 Nov 2026, 16:05:09 in Lagos (UTC+1)`. */
export const exactTime = (at: Date): string => `${EXACT.format(at)} in Lagos (UTC+1)`;
