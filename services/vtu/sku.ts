import type { ProductRow } from "./product.ts";

type Sold = Pick<ProductRow, "service" | "brand" | "name" | "size" | "validity">;

/**
 * Returns the identity of the goods that arrive at a recipient, the same at every aggregator and every price: `airtime/mtn/50000`,
 * `electricity/ikeja electric/500000`, `data/mtn/1000mb/30d`, `cable/dstv/padi`. `faceValue` is in kobo, and is part of the identity only
 * where the buyer chooses the amount. The kind of a data plan (SME, Gifting) is no part of it, because the same data arrive.
 */
export function skuOf(product: Sold, faceValue: bigint): string {
  const { service, brand } = product;
  const isChosen = service === "airtime" || service === "electricity";
  return `${service}/${brand}/${isChosen ? faceValue : planOf(product)}`;
}

function planOf({ service, name, brand, size, validity }: Sold): string {
  const megabytes = service === "data" ? sizeIn(size ?? name) : undefined;
  const days = megabytes && validityIn(validity ?? name);
  return megabytes && days ? `${megabytes}/${days}` : plainName(name, brand);
}

const MEGABYTES: Record<string, number> = { mb: 1, gb: 1_000, tb: 1_000_000 };

/** Returns the size in a text, in megabytes: "1GB", "1.0 gb", "1000MB" and "1024 MB" are one size. */
function sizeIn(text: string): string | undefined {
  const [, number, unit = ""] = /(\d+(?:\.\d+)?)\s?(mb|gb|tb)\b/.exec(text.toLowerCase()) ?? [];
  if (number === undefined) return undefined;
  const megabytes = Number(number) * (MEGABYTES[unit] ?? 0);
  return `${Math.round(megabytes % 1_024 === 0 ? (megabytes / 1_024) * 1_000 : megabytes)}mb`;
}

const DAYS: Record<string, number> = { day: 1, week: 7, month: 30, year: 365 };
const ADVERBS: Record<string, string> = { daily: "1d", weekly: "7d", monthly: "30d", yearly: "365d" };

/** Returns the validity in a text, in days: "30 days", "1 month" and "Monthly" are one validity. */
function validityIn(text: string): string | undefined {
  const plain = text.toLowerCase();
  const [, number, unit = ""] = /(\d+)\s?-?(day|week|month|year)s?\b/.exec(plain) ?? [];
  if (number !== undefined) return `${Number(number) * (DAYS[unit] ?? 0)}d`;
  const adverb = /\b(daily|weekly|monthly|yearly)\b/.exec(plain)?.[0];
  return adverb && ADVERBS[adverb];
}

/** A name without its brand and without a price: "DStv Padi N4,400" and "Padi" are one plan of DSTV. */
const plainName = (name: string, brand: string): string =>
  plainWords(
    name
      .toLowerCase()
      .replace(/(?:₦|\bngn|\bn)\s?\d[\d,]*(?:\.\d+)?/g, " ")
      .replace(/\b\d[\d,]*(?:\.\d+)?\s?naira\b/g, " ")
      .replaceAll(brand, " "),
  );

const plainWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
