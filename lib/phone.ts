const SEPARATORS = /\(0\)|[\s().-]/g;
/** A Nigerian mobile number as people write it: 0 or 234, then 70, 80, 81, 90 or 91, then eight digits (NCC numbering plan). */
const NIGERIAN_MOBILE = /^(?:\+?234|0)((?:70|80|81|90|91)\d{8})$/;
/** ITU-T E.164: a plus sign and at most 15 digits, the first of which is not 0. */
const E164 = /^\+[1-9]\d{6,14}$/;

/** A phone number in E.164, from Nigerian notation (080…, 234…) or E.164 itself (also with 00 for the plus); undefined for anything else. */
export function toE164(text: string): string | undefined {
  const compact = text.replaceAll(SEPARATORS, "").replace(/^00/, "+");
  const national = NIGERIAN_MOBILE.exec(compact)?.[1];
  if (national) return `+234${national}`;
  return E164.test(compact) ? compact : undefined;
}
