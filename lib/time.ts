export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Returns ISO 8601 in UTC with milliseconds, or null. */
export function isoOrNull(date: Date | null): string | null {
  return date ? date.toISOString() : null;
}

/** Returns the number of the week, for messages that are sent once a week. */
export const weekOf = (date: Date): number => Math.floor(date.getTime() / (7 * DAY_MS));

const LAGOS_CLOCK = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Africa/Lagos",
  hour: "2-digit",
  minute: "2-digit",
});

/** Returns the time of day in Lagos: `14:32`. */
export function lagosClock(date: Date): string {
  return LAGOS_CLOCK.format(date);
}

const lagosDates = new Map<string, Intl.DateTimeFormat>();

function lagosDateFormat(language: string): Intl.DateTimeFormat {
  const known = lagosDates.get(language);
  if (known) return known;
  const format = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    timeZone: "Africa/Lagos",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  lagosDates.set(language, format);
  return format;
}

/** Returns date and time in Lagos in the format of a language (a BCP 47 tag): `21 Nov 2026, 14:32`. */
export function lagosDateTime(date: Date, language = "en"): string {
  return lagosDateFormat(language).format(date);
}

/** Returns the calendar date in Lagos: `2026-11-21`. Nigeria keeps UTC+1 all year. */
export function lagosDay(date: Date): string {
  return new Date(date.getTime() + HOUR_MS).toISOString().slice(0, 10);
}

/** Returns the moment at which a calendar date (`2026-11-21`) begins in Lagos. */
export const startOfLagosDay = (day: string): Date => new Date(`${day}T00:00:00+01:00`);

const LAGOS_MINUTE = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Africa/Lagos",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** Returns date and time in Lagos as digits: `202611211432`. */
export function lagosMinute(date: Date): string {
  const part = Object.fromEntries(LAGOS_MINUTE.formatToParts(date).map(({ type, value }) => [type, value]));
  return `${part.year}${part.month}${part.day}${part.hour}${part.minute}`;
}
