const SEPARATORS = /\(0\)|[\s().-]/g;
/** A Nigerian mobile number as people write it: 0 or 234, then 70, 80, 81, 90 or 91, then eight digits (NCC numbering plan). */
const NIGERIAN_MOBILE = /^(?:\+?234|0)((?:70|80|81|90|91)\d{8})$/;
/** ITU-T E.164: a plus sign and at most 15 digits, the first of which is not 0. */
const E164 = /^\+[1-9]\d{6,14}$/;

/** A Nigerian mobile number in E.164, as people write it (080…, 234…, +234…); undefined for anything else. */
export function toNigerianMobile(text: string): string | undefined {
  const national = NIGERIAN_MOBILE.exec(compactOf(text))?.[1];
  return national && `+234${national}`;
}

const compactOf = (text: string) => text.replaceAll(SEPARATORS, "").replace(/^00/, "+");

/** A phone number in E.164, from Nigerian notation (080…, 234…) or E.164 itself (also with 00 for the plus); undefined for anything else. */
export function toE164(text: string): string | undefined {
  const compact = compactOf(text);
  return toNigerianMobile(text) ?? (E164.test(compact) ? compact : undefined);
}

export type Network = "mtn" | "glo" | "airtel" | "9mobile";

/** The first digits that the NCC gave to each network, after +234. */
const PREFIXES: Record<Network, readonly string[]> = {
  mtn: ["703", "704", "706", "803", "806", "810", "813", "814", "816", "903", "906", "913", "916"],
  glo: ["705", "805", "807", "811", "815", "905", "915"],
  airtel: ["701", "708", "802", "808", "812", "901", "902", "904", "907", "911", "912"],
  "9mobile": ["809", "817", "818", "908", "909"],
};

/** The network that gave out a Nigerian number (E.164). A hint and no more: numbers are ported. Undefined for a prefix that is nobody's. */
export function guessNetwork(phone: string): Network | undefined {
  const prefix = phone.slice(4, 7);
  return (Object.keys(PREFIXES) as Network[]).find((network) => PREFIXES[network].includes(prefix));
}
