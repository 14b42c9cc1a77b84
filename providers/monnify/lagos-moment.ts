import { z } from "zod";

/** `2021-11-17 11:28:42.615`, or with a T. */
const YEAR_FIRST = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?$/;
/** `17/11/2021 3:48:10 PM`. */
const DAY_FIRST = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d\d):(\d\d) (AM|PM)$/i;

/** Returns a moment that a text without a zone names on Lagos's clock, to the second: readings leave out the rest. Undefined for any other text. */
export function parseLagosMoment(text: string): Date | undefined {
  const [, year, month, day, hour, minute, second] = YEAR_FIRST.exec(text) ?? inYearFirst(DAY_FIRST.exec(text));
  if (year === undefined) return undefined;
  const moment = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}+01:00`);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

function inYearFirst(match: RegExpExecArray | null): (string | undefined)[] {
  const [, day = "", month = "", year = "", hour = "", minute, second, half = ""] = match ?? [];
  if (!match || Number(hour) < 1 || Number(hour) > 12) return [];
  const hours = (Number(hour) % 12) + (half.toUpperCase() === "PM" ? 12 : 0);
  return ["", year, month.padStart(2, "0"), day.padStart(2, "0"), String(hours).padStart(2, "0"), minute, second];
}

export const lagosMoment = z.string().transform((text, context) => {
  const moment = parseLagosMoment(text);
  if (moment) return moment;
  context.addIssue("must be a moment of Lagos's clock");
  return z.NEVER;
});
