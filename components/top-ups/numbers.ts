import { toNigerianMobile } from "#lib/phone.ts";
import { compactNumber, typedText } from "#lib/typed-text.ts";

/** Returns a typed or pasted Nigerian mobile number in E.164, or undefined for any other text. */
export const typedPhone = toNigerianMobile;

/** Returns a typed or pasted number of a meter or a smart card, as purchases store it. */
export const typedNumber = compactNumber;

/** DStv and GOtv have 10 digits, StarTimes 11. */
export const isSmartCard = (number: string, broadcaster: string | undefined): boolean =>
  broadcaster?.toLowerCase() === "startimes" ? /^\d{11}$/.test(number) : /^\d{10}$/.test(number);

/** Meters have 11 or 13 digits. At some discos they have letters. */
export const isMeter = (number: string, hasLetters: boolean): boolean =>
  /^(?:\d{11}|\d{13})$/.test(number) || (hasLetters && /^(?=.*[A-Z])[0-9A-Z]{6,20}$/.test(number));

const PLAIN_NAIRA = /^(\d{1,10})(?:\.(\d{1,2}))?$/;

/** Returns a typed or pasted amount of Naira in kobo: `₦1,500.50` is 150050n. Returns undefined for any other text, and for a third decimal. */
export function typedNaira(text: string): bigint | undefined {
  const [, whole, decimals = ""] = PLAIN_NAIRA.exec(typedText(text).replaceAll(/₦|^NGN|^N|[,\s]/gi, "")) ?? [];
  return whole === undefined ? undefined : BigInt(whole) * 100n + BigInt(decimals.padEnd(2, "0"));
}

/** Returns a Nigerian number as people write it: `0803 123 4567`. Any other number stays as it is. */
export const phoneText = (e164: string): string => e164.replace(/^\+234(\d{3})(\d{3})(\d{4})$/, "0$1 $2 $3");

/** Returns a text in groups of four: `1234 5678 90`. */
export const inFours = (text: string): string => text.replaceAll(/(.{4})(?=.)/g, "$1 ");

/** Returns the number that something is bought for, as people read it. */
export const recipientText = (recipient: string): string => (recipient.startsWith("+") ? phoneText(recipient) : inFours(recipient));
