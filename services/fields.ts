import { z } from "zod";
import { asciiEmail } from "#lib/ascii-email.ts";
import { isBlank } from "#lib/blank.ts";
import { type Currency, money, toMinorUnits } from "#lib/money.ts";
import { plainText } from "#lib/plain-text.ts";

const codePoints = (text: string) => [...text].length;

/** Text of at most `max` code points. The endpoints' wrapper refuses control characters before the schema runs. */
export function textOf(max: number) {
  return z
    .string({ error: "Send text." })
    .refine((value) => codePoints(value) <= max, `Send at most ${max} characters.`)
    .meta({ maxLength: max });
}

/** A name of a person or a thing: one line, without characters that no screen shows or that turn the text around. Spaces around it are dropped. */
export const nameText = (max: number) =>
  textOf(max)
    .transform((text) => text.trim())
    .refine((text) => plainText(text) === text, "Send one line of letters, digits and signs, without invisible characters.");

/** A name that may not be empty. `missing` says what to send. */
export const requiredName = (max: number, missing: string) => nameText(max).refine((text) => !isBlank(text), missing);

/** As `requiredName`, with messages for a form, because "Send …" is for programs. */
export const typedName = (max: number, missing: string) =>
  z
    .string({ error: missing })
    .trim()
    .min(1, missing)
    .max(max, `Use at most ${max} characters.`)
    .refine((text) => plainText(text) === text, "Use one line of letters, digits and signs.")
    .refine((text) => text === "" || !isBlank(text), missing);

/** An email address. Becomes one with its domain in punycode, as mail servers write it: `ada@büro.example` is an address too. */
export const emailText = z
  .string({ error: "Send an email address." })
  .transform(asciiEmail)
  .pipe(z.email("Send an email address.").max(254, "Send at most 254 characters."));

const MAX_METADATA = 20;

/** Values that the merchant attaches to the resource that a request creates. */
export type Metadata = Record<string, string>;

/** `metadata` in a request: at most 20 texts under names of at most 40 characters. */
export const metadata = z
  .record(textOf(40), textOf(500), { error: "Send an object of text values." })
  .refine((value) => Object.keys(value).length <= MAX_METADATA, `Send at most ${MAX_METADATA} values.`)
  .optional()
  .meta({ description: "Yours to use; echoed everywhere." });

/** `metadata` in an answer: empty if the request had none. */
export const echoedMetadata = z.record(z.string(), z.string());

const EARLIEST = new Date(0);
const LATEST = new Date("9999-12-31T23:59:59.999Z");

/** In a query, a plus sign that is not encoded means a space. */
const LOST_PLUS = /T[\d:.]+ \d\d:?\d\d$/;
const PLUS = "The plus sign of the offset was lost: write it as %2B in an address, or send the time in UTC, like 2026-01-31T09:30:00Z.";

/** A time in ISO 8601 with an offset. Becomes a `Date`. */
export const instant = z.iso
  .datetime({ offset: true, error: ({ input }) => (LOST_PLUS.test(String(input)) ? PLUS : "Send a time like 2026-01-31T09:30:00Z.") })
  .transform((text) => new Date(text))
  .refine((date) => date >= EARLIEST && date <= LATEST, "Send a time from 1970 to 9999.");

/** An amount in Naira: a JSON number with at most two decimals. Becomes `Money`. */
export const nairaBetween = (min: number, max: number) => amountBetween(min, max, "NGN", "Naira");

/** An amount in US dollars: a JSON number with at most two decimals. Becomes `Money`. */
export const dollarsBetween = (min: number, max: number) => amountBetween(min, max, "USD", "US dollars");

/** A number as JSON writes it, without an exponent. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** An amount in Naira in a query: digits with at most two decimals. Becomes `Money` of any size and sign: the caller has the limits. */
export const nairaText = amountText("NGN", "Naira", "5000");

/** The same in US dollars. */
export const dollarsText = amountText("USD", "US dollars", "20");

function amountText(currency: Currency, name: string, example: string) {
  return z
    .string({ error: `Send a number of ${name}.` })
    .regex(PLAIN_NUMBER, { error: `Send a number of ${name}, such as ${example} or 99.5.`, abort: true })
    .regex(/^[^.]*(?:\.\d{1,2})?$/, { error: "Send at most two decimals.", abort: true })
    .transform((text) => {
      const [whole = "", decimals = ""] = text.split(".");
      return money(BigInt(whole + decimals.padEnd(2, "0")), currency);
    });
}

function amountBetween(min: number, max: number, currency: Currency, name: string) {
  const range = `${min.toLocaleString("en")} to ${max.toLocaleString("en")}`;
  return (
    z
      .number({
        error: ({ input }) =>
          typeof input === "string" ? `Send a number, without quotes: ${name} from ${range}.` : `Send a number of ${name} from ${range}.`,
      })
      .min(min, `Send at least ${min.toLocaleString("en")} ${name}.`)
      .max(max, `Send at most ${max.toLocaleString("en")} ${name}.`)
      // 1e22 has no decimals. It is refused for its size only.
      .refine((value) => value > max || toMinorUnits(Math.abs(value)) !== undefined, "Send at most two decimals.")
      .transform((value) => money(toMinorUnits(value) ?? 0n, currency))
  );
}
