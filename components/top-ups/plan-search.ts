/** The fields of a plan by which people search for it. */
interface Searchable {
  name: string;
  size: string | null;
  validity: string | null;
  /** Kobo. */
  price: bigint;
}

/** Returns the words of a plan for `matcherOf`: its name, its size (`1gb`), its price (`600`) and its days (`30days`, `monthly`). */
export function searchTextOf({ name, size, validity, price }: Searchable): string {
  const days = daysOf(validity);
  const naira = price % 100n === 0n ? String(price / 100n) : `${price / 100n}.${String(price % 100n).padStart(2, "0")}`;
  const text = [name, size ?? "", validity ?? ""].join(" ");
  const words = [...wordsIn(text), ...text.toLowerCase().split(/[\s,]+/), naira, ...(days ? [`${days}days`, nameOfDays(days)] : [])];
  return ` ${[...new Set(words)].join(" ")}`;
}

/** Returns a function that tells whether a plan's words have each word of a search, or begin with it. */
export function matcherOf(search: string): (text: string) => boolean {
  const words = wordsIn(search);
  return (text) => words.every((word) => text.includes(` ${word}`));
}

/** Joins a number and its unit to one word, however they are written: `1 GB`, `30 days`, `₦1,200`. */
const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll("₦", " ")
    .replaceAll(/(\d),(?=\d{3})/g, "$1")
    .replaceAll(/(\d)\s+(?=(?:[mgt]b|days?|weeks?|months?)\b)/g, "$1")
    .split(/[^\p{L}\p{N}.+]+/u)
    .map((word) => word.replaceAll(/^\.+|\.+$/g, ""))
    .filter(Boolean);

const DAYS_IN: Record<string, number> = { day: 1, week: 7, month: 30, year: 365 };

/** Returns the days of a validity (`30 days`, `1 month`), or undefined if it names none. */
export function daysOf(validity: string | null): number | undefined {
  const [, count, unit = ""] = /(\d{1,3})\s*(day|week|month|year)/i.exec(validity ?? "") ?? [];
  return count === undefined ? undefined : Number(count) * (DAYS_IN[unit.toLowerCase()] ?? 1);
}

/** Returns the name of the group that a number of days belongs to. */
export function nameOfDays(days: number | undefined): string {
  if (days === undefined) return "other";
  if (days <= 3) return "daily";
  if (days <= 15) return "weekly";
  return days <= 31 ? "monthly" : "longer";
}
