import type { ProductRow } from "../product.ts";

type Sold = Pick<ProductRow, "service" | "brand" | "name" | "size" | "validity">;

/**
 * Returns the identity of the goods that arrive at a recipient, the same at every aggregator and every price: `airtime/mtn/50000`,
 * `electricity/ikeja electric/500000`, `data/mtn/1000mb/1d/`, `data/mtn/1000mb/30d/youtube night`, `cable/dstv/padi`. `faceValue` is in kobo, and is
 * part of the identity only where the buyer chooses the amount. The kind of a data plan (SME, Gifting) is no part of it, because the same data arrive.
 */
export function skuOf(product: Sold, faceValue: bigint): string {
  const { service, brand } = product;
  const isChosen = service === "airtime" || service === "electricity";
  return `${service}/${brand}/${isChosen ? faceValue : planOf(product)}`;
}

function planOf({ service, name, brand, size: named, validity }: Sold): string {
  if (service !== "data") return words(withoutPrices(name), brand);
  const plain = withoutPrices(plainNumbers(name));
  const sizes = plainNumbers(named ?? plain).match(SIZES) ?? [];
  const days = validityIn(plainNumbers(validity ?? plain));
  // Bundles without one size and a validity are identified by their whole names, which may differ in the price only.
  if (sizes.length !== 1 || days === undefined) return words(plainNumbers(name), brand);
  const size = megabytesOf(sizes[0] ?? "");
  // Of "1GB + 500MB Night", the second size is kept, because it is delivered too.
  const rest = words(plain.replace(SIZES, (one) => (megabytesOf(one) === size ? " " : one)).replace(VALIDITIES, " "), brand);
  const other = rest.split(" ").filter((word) => !KINDS.has(word));
  return `${size}/${days}/${other.join(" ")}`;
}

const SIZES = /\d+(?:\.\d+)?\s?(?:mb|gb|tb)\b/g;
const VALIDITIES = /\d+\s?-?(?:hour|hr|day|week|month|year)s?\b|\b(?:daily|weekly|monthly|yearly)\b/g;
/** Words of a data plan that name how it is sold, not the delivered data. */
const KINDS = new Set(["sme", "gifting", "corporate", "cg", "direct", "data", "plan", "bundle", "for", "valid", "validity"]);

/** In lower case, with whole numbers: "1,000MB" is "1000mb". */
const plainNumbers = (text: string): string => text.toLowerCase().replace(/(\d),(?=\d{3}\b|\d{3}\D)/g, "$1");

const MEGABYTES: Record<string, number> = { mb: 1, gb: 1_000, tb: 1_000_000 };

/** "1gb", "1.0 gb", "1000mb" and "1024 mb" are one size, and so are "1.5gb" and "1536mb". */
function megabytesOf(size: string): string {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)\s?(mb|gb|tb)$/.exec(size) ?? [];
  const count = Number(number);
  const isBinary = unit === "mb" && count >= 512 && count % 512 === 0 && count < 1_024_000 && count % 1_000 !== 0;
  return `${Math.round(isBinary ? (count / 1_024) * 1_000 : count * (MEGABYTES[unit] ?? 0))}mb`;
}

const HOURS: Record<string, number> = { hour: 1, hr: 1, day: 24, week: 168, month: 720, year: 8_760 };
const ADVERBS: Record<string, string> = { daily: "day", weekly: "week", monthly: "month", yearly: "year" };

/** "30 days", "1 month" and "Monthly" are one validity, and so are "24 hrs" and "1 day". */
function validityIn(text: string): string | undefined {
  const [, number, unit = ""] = /(\d+)\s?-?(hour|hr|day|week|month|year)s?\b/.exec(text) ?? [];
  const adverb = /\b(daily|weekly|monthly|yearly)\b/.exec(text)?.[0];
  const hours = number === undefined ? HOURS[ADVERBS[adverb ?? ""] ?? ""] : Number(number) * (HOURS[unit] ?? 0);
  if (!hours) return undefined;
  return hours % 24 === 0 ? `${hours / 24}d` : `${hours}h`;
}

/** "DStv Padi N4,400", "Padi - ₦4,400.00" and "Padi" are one plan. */
const withoutPrices = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(?:₦|#|\bngn\s?|\bn)\s?\d[\d,]*(?:\.\d+)?k?\b/g, " ")
    .replace(/\b\d[\d,]*(?:\.\d+)?\s?naira\b/g, " ");

const words = (text: string, brand: string): string =>
  text
    .toLowerCase()
    .replaceAll(brand, " ")
    .replace(/[^\p{L}\p{N}.]+/gu, " ")
    .trim();
