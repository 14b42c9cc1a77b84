import { z } from "zod";
import { toE164, toNigerianMobile } from "#lib/phone.ts";
import { compactNumber, typedText } from "#lib/typed-text.ts";
import { textOf } from "../fields.ts";

const MAX_AS_WRITTEN = 40;

/** A Nigerian mobile number in any common notation. Becomes E.164. */
export const MobileNumber = textOf(MAX_AS_WRITTEN)
  .transform((text, ctx) => {
    const phone = toNigerianMobile(text);
    if (phone) return phone;
    ctx.addIssue({ code: "custom", message: "Send a Nigerian mobile number, such as 08031234567 or +2348031234567." });
    return z.NEVER;
  })
  .meta({ description: "A Nigerian mobile number: 080…, 234… or +234….", example: "08031234567" });

/** A phone number of any country. Becomes E.164, or undefined where the text is empty. */
export const CustomerPhone = textOf(MAX_AS_WRITTEN)
  .transform((text, ctx) => {
    if (text.trim() === "") return undefined;
    const phone = toE164(text);
    if (phone) return phone;
    ctx.addIssue({ code: "custom", message: "Send a phone number such as 08031234567, or one from abroad with its country code." });
    return z.NEVER;
  })
  .meta({ example: "08031234567" });

/** The number on a smart card (IUC) of some broadcaster; `isSmartCardOf` checks it for one. Spaces and dashes are dropped. */
export const SmartCardNumber = textOf(MAX_AS_WRITTEN)
  .transform(compactNumber)
  .refine((text) => /^\d{10,11}$/.test(text), "Send the number on the smart card, or the IUC: 10 digits, for StarTimes 11.")
  .meta({ example: "7034562211" });

/** Returns the digits of the smart cards of a broadcaster: DStv and GOtv have 10, StarTimes 11. Of an unknown one, both. */
export const digitsOfSmartCard = (broadcaster: string): number[] => DIGITS_OF_SMART_CARDS.get(broadcaster.toLowerCase()) ?? [10, 11];

const DIGITS_OF_SMART_CARDS = new Map([
  ["dstv", [10]],
  ["gotv", [10]],
  ["startimes", [11]],
]);

/** Returns whether a broadcaster may have this smart card number. */
export const isSmartCardOf = (broadcaster: string, number: string): boolean =>
  /^\d+$/.test(number) && digitsOfSmartCard(broadcaster).includes(number.length);

/** A meter number that some disco may use; `isMeterOf` checks it for one disco. Spaces and dashes are dropped. */
export const MeterNumber = textOf(MAX_AS_WRITTEN)
  .transform(compactNumber)
  .refine((text) => /^[0-9A-Z]{6,20}$/.test(text), "Send the number on the meter: 11 or 13 digits.")
  .meta({ example: "45031234562" });

const DIGITS_OF_A_METER = /^(?:\d{11}|\d{13})$/;

/** Returns whether a disco may have this meter number: 11 or 13 digits, or any with a letter at discos that use letters. */
export const isMeterOf = (disco: { hasLetters: boolean }, number: string): boolean =>
  DIGITS_OF_A_METER.test(number) || (disco.hasLetters && /[A-Z]/.test(number));

/** Returns the number of a smart card or a meter that a text may be, as purchases store it, or undefined for other text. */
export function toRecipientNumber(text: string): string | undefined {
  const number = compactNumber(text);
  const isNumber = SmartCardNumber.safeParse(number).success || DIGITS_OF_A_METER.test(number);
  return isNumber || (/[A-Z]/.test(number) && MeterNumber.safeParse(number).success) ? number : undefined;
}

/** One of `words`, in any case, or another name of one. Becomes the word as it is listed. */
export function oneOf<const Words extends readonly [string, ...string[]]>(
  words: Words,
  others: Readonly<Record<string, Words[number]>> = {},
) {
  const known = new Map<string, Words[number]>([...Object.entries(others), ...words.map((word) => [word.toLowerCase(), word] as const)]);
  const list = words.join(", ");
  return z
    .string({ error: `Send one of ${list}.` })
    .transform((text, ctx): Words[number] => {
      const word = known.get(typedText(text).toLowerCase());
      if (word !== undefined) return word;
      ctx.addIssue({ code: "custom", message: `Send one of ${list}.` });
      return z.NEVER;
    })
    .meta({ description: `One of ${list}, in any case.`, enum: [...words] });
}
