import { typedText } from "#lib/typed-text.ts";

const SCIENTIFIC = /^[+-]?\d(?:[.,]\d+)?e[+-]?\d+$/i;

/** Thrown for a row that cannot be bought. The message says how to correct it. */
export class BadRow extends Error {
  override name = "BadRow";
}

/** Returns a number of a phone, meter or card as it was typed. Throws `BadRow` for one that a spreadsheet has shortened: its last digits are gone. */
export function readNumber(cell: string, name: string): string {
  if (cell === "") throw new BadRow(`${name}: this cell is empty.`);
  if (SCIENTIFIC.test(cell)) {
    throw new BadRow(
      `${name}: the spreadsheet has shortened the number to ${cell}. Format the column as text, type the number again, and save.`,
    );
  }
  return /^="(.*)"$/.exec(cell)?.[1] ?? cell.replace(/^'/, "");
}

/** With or without commas between the thousands. */
const AMOUNT = /^(?:\d{1,9}|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?$/;

/** Returns Naira from text such as `₦1,500.00`, `NGN 1500` or `1500`. Throws `BadRow`; nothing is rounded. */
export function readAmount(cell: string): number {
  const digits = typedText(cell)
    .replace(/^(?:₦|NGN|N)?\s*/i, "")
    .replaceAll(/\s/g, "");
  if (!AMOUNT.test(digits)) throw new BadRow("Amount: write Naira as 1500, 1,500.00 or ₦1,500, with at most two decimals.");
  return Number(digits.replaceAll(",", ""));
}

/** Returns the id of a plan. Throws `BadRow`. */
export function readProductId(cell: string): number {
  const id = typedText(cell);
  if (!/^\d{1,10}$/.test(id)) throw new BadRow("Plan id: write the id of one of the plans, a whole number.");
  return Number(id);
}
