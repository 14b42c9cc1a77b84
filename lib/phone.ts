import { typedText } from "./typed-text.ts";

const SEPARATORS = /\(0\)|[\s().-]/g;
/**
 * A Nigerian mobile number as people write it: 70, 80, 81, 90 or 91 and eight digits (NCC numbering plan), behind 234, 0, both, or neither: a
 * spreadsheet drops the zero, and some write it behind the country code too.
 */
const NIGERIAN_MOBILE = /^(?:\+?2340?|0)?((?:70|80|81|90|91)\d{8})$/;
/** A Nigerian landline: 20 and eight digits, behind 0 or 234. Without them, the ten digits could be any other number. */
const NIGERIAN_LANDLINE = /^(?:\+?2340?|0)(20\d{8})$/;
const COUNTRY = /^\+?234/;
/** ITU-T E.164: a plus sign and at most 15 digits, the first of which is not 0. */
const E164 = /^\+[1-9]\d{6,14}$/;

/** Returns a Nigerian mobile number (080…, 80…, 234…, +234…) in E.164, or undefined for any other text. */
export const toNigerianMobile = (text: string): string | undefined => nationalIn(NIGERIAN_MOBILE, compactOf(text));

function nationalIn(notation: RegExp, compact: string): string | undefined {
  const national = notation.exec(compact)?.[1];
  return national && `+234${national}`;
}

/** A number as programs write one that they hold as a decimal, and one in the notation of North America, whose area codes look like our prefixes. */
const FOREIGN = /^\d+\.0+$|^\([1-9]\d\d\)/;

/** As people paste it: also out of a link. Empty for a notation that is not supported. */
function compactOf(text: string): string {
  const typed = typedText(text).replace(/^tel:/i, "");
  return FOREIGN.test(typed) ? "" : typed.replaceAll(SEPARATORS, "").replace(/^00/, "+");
}

/**
 * Returns a phone number in E.164. Reads Nigerian mobile numbers and landlines in national notation, and E.164, also with 00 for the plus. A number
 * under +234 obeys the Nigerian plan. Returns undefined for other text.
 */
export function toE164(text: string): string | undefined {
  const compact = compactOf(text);
  const nigerian = nationalIn(NIGERIAN_MOBILE, compact) ?? nationalIn(NIGERIAN_LANDLINE, compact);
  return nigerian ?? (E164.test(compact) && !COUNTRY.test(compact) ? compact : undefined);
}

export type Network = "mtn" | "glo" | "airtel" | "9mobile";

/** The digits after +234 that the NCC assigned to each network. */
const PREFIXES: Record<Network, readonly string[]> = {
  mtn: ["703", "704", "706", "803", "806", "810", "813", "814", "816", "903", "906", "913", "916"],
  glo: ["705", "805", "807", "811", "815", "905", "915"],
  airtel: ["701", "708", "802", "808", "812", "901", "902", "904", "907", "911", "912"],
  "9mobile": ["809", "817", "818", "908", "909"],
};

/** Returns the network that issued a Nigerian number (E.164), or undefined for an unassigned prefix. A guess, because numbers are ported. */
export function guessNetwork(phone: string): Network | undefined {
  const prefix = phone.slice(4, 7);
  return (Object.keys(PREFIXES) as Network[]).find((network) => PREFIXES[network].includes(prefix));
}
