import { stringify } from "csv-stringify/sync";
import { money, toPlainDigits } from "#lib/money.ts";
import { HOUR_MS } from "#lib/time.ts";

/** A value in a file: text, a count, a bigint of minor units (written `5000.00`), a time (written as Lagos has it), or nothing. */
export type Cell = string | number | bigint | Date | null | undefined;

/** A column of a file: its heading, and its value of a row. */
export type Column<Row> = readonly [heading: string, cellOf: (row: Row) => Cell];

/** `=`, `+`, `-` and `@`, also in full width: with one of them a spreadsheet may take text as a formula, also after a blank. */
const FORMULA_AFTER_BLANK = /^\s+[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** An account, meter or order number that a spreadsheet would change: without its first 0, or as 1.23E+12. */
const SHORTENED = /^(?:0\d+|\d{12,}|\d+(?:\.\d+)?e[+-]?\d+)$/i;

const FORMAT = {
  record_delimiter: "windows",
  // Without this, the library leaves a line break in a text unquoted, because its line ending is not the default. It would start a new row.
  quote_record_delimiter: true,
  // Puts an apostrophe before text that a spreadsheet would calculate. A bigint keeps its minus.
  escape_formulas: true,
  cast: {
    string: (text: string) => (FORMULA_AFTER_BLANK.test(text) || SHORTENED.test(text) ? `'${text}` : text),
    bigint: (minor: bigint) => toPlainDigits(money(minor, "NGN")),
    date: (time: Date) => lagosTime(time),
  },
} as const;

/** Returns the first line of a file: the headings, after the byte order mark without which Excel reads UTF-8 as Latin text. */
export const headOf = <Row>(columns: readonly Column<Row>[]): string =>
  stringify([columns.map(([heading]) => heading)], { ...FORMAT, bom: true });

/** Returns rows as lines of a file. */
export const linesOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string =>
  stringify(
    rows.map((row) => columns.map(([, cellOf]) => cellOf(row))),
    FORMAT,
  );

/** Returns a time with the offset of Lagos: `2026-11-14T16:05:09+01:00`. Nigeria keeps UTC+1 all year. */
export const lagosTime = (time: Date): string => `${new Date(time.getTime() + HOUR_MS).toISOString().slice(0, 19)}+01:00`;

const NIGERIAN = /^\+234(\d{3})(\d{3})(\d{4})$/;

/**
 * Returns a phone number (E.164) as a spreadsheet shows it: without the plus that makes it a formula, and with blanks, or it would be a number
 * without its first 0. `toE164` reads it back. Other text stays as it is.
 */
export function phoneText(phone: string): string {
  const [, operator, first, rest] = NIGERIAN.exec(phone) ?? [];
  if (operator) return `0${operator} ${first} ${rest}`;
  return phone.replace(/^\+(?=\d)/, "00 ");
}

/** Returns values of the merchant's own as one text, or nothing where there are none. */
export const metadataText = (metadata: Record<string, string>): string | null =>
  Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata);
