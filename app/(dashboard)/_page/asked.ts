import type { Filter, FilterValues } from "#components/page/filters.tsx";
import { type Currency, type Money, money } from "#lib/money.ts";
import { isStorable } from "#lib/storable-text.ts";
import { DAY_MS, lagosDay, startOfLagosDay } from "#lib/time.ts";
import { typedText } from "#lib/typed-text.ts";

/** The filters and the page of a list that an address asks for. */
export interface Asked {
  /** By parameter, without those that are not valid. */
  values: FilterValues;
  cursor: string | undefined;
  /** What is wrong with the address, for the reader. */
  problem: string | undefined;
}

type SearchParams = Record<string, string | string[] | undefined>;

const PARAMETERS = { days: ["days", "from", "to"], amount: ["min", "max"] } as const;
const MAX_CHARACTERS = 100;
const PLAIN_AMOUNT = /^\d{1,12}(?:\.\d{1,2})?$/;

/** Returns what an address asks of a list. `values` has its valid filters. `problem` names the others; with one, the list shows nothing. */
export function askedOf(given: SearchParams, filters: readonly Filter[]): Asked {
  const found: [string, string][] = [];
  const wrong: string[] = [];
  for (const filter of filters) {
    for (const name of namesOf(filter)) {
      const sent = given[name];
      if (Array.isArray(sent)) wrong.push(name);
      const value = oneOf(sent)?.trim();
      if (!value) continue;
      const kept = valid(filter, name, value);
      if (kept === undefined) wrong.push(name);
      else found.push([name, kept]);
    }
  }
  return { values: Object.fromEntries(found), cursor: oneOf(given.cursor), problem: wrong.length > 0 ? problemWith(wrong) : undefined };
}

const oneOf = (value: string | string[] | undefined): string | undefined => (typeof value === "string" ? value : undefined);

const problemWith = (names: string[]): string =>
  `This address asks for something that this list does not know: ${names.join(", ")}. Choose the filter anew; a day is written like 2026-11-27.`;

const namesOf = (filter: Filter): readonly string[] => ("name" in filter ? [filter.name] : PARAMETERS[filter.kind]);

function valid(filter: Filter, name: string, value: string): string | undefined {
  switch (filter.kind) {
    case "choice":
      return filter.choices.some((choice) => choice.value === value) ? value : undefined;
    case "days":
      return (name === "days" ? Object.hasOwn(RANGES, value) : isDay(value)) ? value : undefined;
    case "amount": {
      // A pasted amount may have a currency sign, commas and spaces.
      const plain = typedText(value).replaceAll(/[₦$,\s]/g, "");
      return PLAIN_AMOUNT.test(plain) ? plain : undefined;
    }
    case "text":
      return value.length <= MAX_CHARACTERS && isStorable(value) ? value : undefined;
  }
}

/** Returns whether a text is a day that exists, in this century. */
const isDay = (text: string): boolean => /^20\d{2}-\d{2}-\d{2}$/.test(text) && dayAfter(text, 0) === text;

interface Days {
  /** The first day. */
  from?: string | undefined;
  /** The last day. */
  to?: string | undefined;
}

const RANGES: Record<string, (today: string) => Days> = {
  today: (today) => ({ from: today }),
  "7d": (today) => ({ from: dayAfter(today, -6) }),
  "30d": (today) => ({ from: dayAfter(today, -29) }),
  month: (today) => ({ from: `${today.slice(0, 7)}-01` }),
  "last-month": (today) => {
    const to = dayAfter(`${today.slice(0, 7)}-01`, -1);
    return { from: `${to.slice(0, 7)}-01`, to };
  },
};

/** Returns the day that is `days` after another, or no day if the given date does not exist. */
function dayAfter(day: string, days: number): string {
  const at = new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString().slice(0, 10);
}

/** Returns the times between which the asked days lie, as days in Lagos. */
export function createdRangeOf({ values }: Asked, now: Date): { created_after?: Date; created_before?: Date } {
  const range = values.days === undefined ? undefined : RANGES[values.days];
  const { from, to }: Days = range ? range(lagosDay(now)) : values;
  return {
    ...(from && { created_after: startOfLagosDay(from) }),
    ...(to && { created_before: startOfLagosDay(dayAfter(to, 1)) }),
  };
}

/** Returns an asked amount. */
export function amountOf(value: string | undefined, currency: Currency): Money | undefined {
  if (value === undefined) return undefined;
  const [whole = "", decimals = ""] = value.split(".");
  return money(BigInt(whole + decimals.padEnd(2, "0")), currency);
}

/** Returns a value of a choice if it is one of these. `askedOf` has checked it; this gives it its type. */
export const choiceOf = <Value extends string>(value: string | undefined, choices: readonly Value[]): Value | undefined =>
  choices.find((choice) => choice === value);
