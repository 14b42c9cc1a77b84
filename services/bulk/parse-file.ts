import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { CsvError, parse } from "csv-parse";
import { invalid, Problem } from "#lib/problem.ts";
import { type Column, type Header, readHeader } from "./columns.ts";
import { MAX_ROWS } from "./contract.ts";

/** A line of the file. */
export interface Line {
  /** Its number in a spreadsheet; the header is 1 unless empty lines come first. */
  row: number;
  /** By the file's own column names. */
  cells: Record<string, string>;
  /** Returns a cell as `cells` has it, without spaces around it; empty if the file has no such column. */
  cell: (column: Column) => string;
  /** Whether a comma within an amount may have split it: 1,500 without quotes is two cells. */
  mayBeSplit: boolean;
}

/** The longest cell that is kept. A phone or name is shorter, and longer cells would cost time and fill the lists. */
const MAX_CELL = 200;
const MAX_COLUMNS = 30;
/** The most lines, including empty ones. A file has room for 250,000, and the parser is slow for lines shorter than the header. */
const MAX_LINES = 2_000;
const TOO_LONG = `Send at most ${MAX_ROWS} rows in one file, and at most ${MAX_LINES} lines with the empty ones.`;

/** Returns the header and the lines of a CSV file, without empty ones. Other requests run between slices. Throws VALIDATION_ERROR, and PAYLOAD_TOO_LARGE for too many lines. */
export async function parseFile(text: string): Promise<{ header: Header; lines: Line[] }> {
  const records = (await readRecords(text)).map((cells, n) => ({ row: n + 1, cells: cells.map(cutCell) }));
  const [first, ...rest] = records.filter(({ cells }) => cells.some((cell) => cell !== ""));
  if (rest.length > MAX_ROWS || records.length > MAX_LINES) throw new Problem("PAYLOAD_TOO_LARGE", TOO_LONG);
  if (!first) throw invalid("body", "The file is empty.");
  if (first.cells.length > MAX_COLUMNS) throw invalid("body", `Send at most ${MAX_COLUMNS} columns.`);
  const header = readHeader(first.cells, (column) => rest.some(({ cells }) => (cells[column] ?? "") !== ""));
  if (rest.length === 0) throw invalid("body", "The file has a header and no rows.");
  return { header, lines: rest.map(({ row, cells }) => toLine(header, row, cells)) };
}

/** The line with which Excel declares the separator and which it does not show. Other programs quote it, or add a space. */
const SEPARATOR_LINE = /^\ufeff?("?)sep=([,;|\t])\1 *\r?\n/i;

/** Returns what finds cells that a spreadsheet is to take as text, `="0803"`. Their quotes are not at their ends, so that a parser takes them for a mistake. */
const textCells = (delimiter: string): RegExp => new RegExp(`(^|[${delimiter}\\n])="([^"\\r\\n]*)"(?=[${delimiter}\\r\\n]|$)`, "g");

async function readRecords(text: string): Promise<string[][]> {
  const separator = SEPARATOR_LINE.exec(text);
  const sent = text.slice(separator?.[0].length ?? 0);
  const delimiter = separator?.[2] ?? delimiterOf(sent);
  const table = sent.replaceAll(textCells(delimiter), '$1"$2"');
  requireBounded(table, delimiter);
  try {
    const parser = Readable.from(slicesOf(table)).pipe(
      parse({ bom: true, relax_column_count: true, trim: true, delimiter, to: MAX_LINES + 1 }),
    );
    return await parser.toArray();
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalid("body", `The file is no CSV from line ${error.lines ?? 1} on: check its quotes, and save it again as CSV UTF-8.`);
  }
}

/** The parser takes one to three milliseconds for a slice. */
const SLICE_BYTES = 16 * 1024;

async function* slicesOf(text: string): AsyncGenerator<Buffer> {
  // In bytes, because a slice of text could end within a character.
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    yield bytes.subarray(at, at + SLICE_BYTES);
    await setImmediate();
  }
}

/** The most cells of one line, including empty ones after the last column. */
const MAX_CELLS = 40;
/** The most cells of a file: 500 rows of our own file of purchases. The parser takes nearly 2 µs for each, and a file has room for 250,000. */
const MAX_ALL_CELLS = 11_500;
const [QUOTE, NEW_LINE] = ['"', "\n"].map((sign) => sign.charCodeAt(0));

/** Throws VALIDATION_ERROR for too many cells, and PAYLOAD_TOO_LARGE for too many lines, before the parser makes cells and lines of them. */
function requireBounded(text: string, delimiter: string): void {
  const separator = delimiter.charCodeAt(0);
  let [cells, all, line, isQuoted] = [1, 1, 1, false];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) isQuoted = !isQuoted;
    if (isQuoted || (sign !== separator && sign !== NEW_LINE)) continue;
    all++;
    cells++;
    if (sign === NEW_LINE) [cells, line] = [1, line + 1];
    if (line > MAX_LINES + 1) throw new Problem("PAYLOAD_TOO_LARGE", TOO_LONG);
    if (cells > MAX_CELLS) throw invalid("body", `Line ${line} has more than ${MAX_CELLS} cells. Send at most ${MAX_COLUMNS} columns.`);
    if (all > MAX_ALL_CELLS)
      throw invalid("body", `The file has more than ${MAX_ALL_CELLS.toLocaleString("en")} cells. Send fewer rows, or fewer columns.`);
  }
}

/** Spreadsheets write semicolons or tabs where the comma is a decimal sign. The header has no such sign. */
function delimiterOf(text: string): string {
  const header = /\S.*/.exec(text)?.[0] ?? "";
  return [";", "\t"].find((each) => header.includes(each) && !header.includes(",")) ?? ",";
}

/** Returns a cell of at most 200 characters. A cut one ends with `…`, so that no amount and no number is read from its beginning. */
function cutCell(cell: string): string {
  if (cell.length <= MAX_CELL) return cell;
  // A character has at most two units of UTF-16, and a cell up to 256,000 of them.
  const characters = [...cell.slice(0, 2 * MAX_CELL + 1)];
  return characters.length <= MAX_CELL ? cell : `${characters.slice(0, MAX_CELL - 1).join("")}…`;
}

function toLine({ names, at }: Header, row: number, cells: string[]): Line {
  const kept = cells.slice(0, MAX_COLUMNS);
  return {
    row,
    cells: Object.fromEntries(kept.flatMap((cell, n) => (cell === "" ? [] : [[nameOf(names, n), cell]]))),
    cell: (column) => kept[at[column] ?? -1] ?? "",
    mayBeSplit: cells.some((cell, n) => cell !== "" && (names[n] ?? "") === "") || isSplitAmount(at, cells),
  };
}

/** Returns whether a comma seems to have split an amount: digits in its cell, and three digits in the next cell, which is not read. */
function isSplitAmount(at: Header["at"], cells: string[]): boolean {
  if (at.amount === undefined || Object.values(at).includes(at.amount + 1)) return false;
  return /\d{1,3}$/.test(cells[at.amount] ?? "") && /^\d{3}(?:\.\d*)?$/.test(cells[at.amount + 1] ?? "");
}

/** A column without a name, or with that of an earlier one, is named by its number, so that no cell hides another. */
function nameOf(names: string[], n: number): string {
  const name = (names[n] ?? "").slice(0, 40);
  return name === "" || name === "__proto__" || names.findIndex((each) => each.slice(0, 40) === name) < n ? `column ${n + 1}` : name;
}
