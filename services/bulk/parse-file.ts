import { CsvError, parse } from "csv-parse/sync";
import { invalid, Problem } from "#lib/problem.ts";
import { type Column, type Header, readHeader } from "./columns.ts";
import { MAX_ROWS } from "./contract.ts";

/** A line of the file. */
export interface Line {
  /** Its number in a spreadsheet; the header is 1 unless empty lines come first. */
  row: number;
  /** By the file's own column names. */
  cells: Record<string, string>;
  /** Returns a cell, without spaces around it; empty if the file has no such column. */
  cell: (column: Column) => string;
  /** Whether a comma within an amount may have split it: 1,500 without quotes is two cells. */
  mayBeSplit: boolean;
}

/** Of one cell. Longer text is no phone and no name, and lists show the cells. */
const MAX_CELL = 200;
const MAX_COLUMNS = 30;
/** With empty ones. The parser takes a while for each line whose cells are fewer than the header's, and a file has room for 250,000. */
const MAX_LINES = 2_000;
const TOO_LONG = `Send at most ${MAX_ROWS} rows in one file, and at most ${MAX_LINES} lines with the empty ones.`;

/** Returns the header and the lines of a CSV file, without empty ones. Throws VALIDATION_ERROR, and PAYLOAD_TOO_LARGE for too many lines. */
export function parseFile(text: string): { header: Header; lines: Line[] } {
  const records = readRecords(text).map((cells, n) => ({ row: n + 1, cells }));
  const [first, ...rest] = records.filter(({ cells }) => cells.some((cell) => cell !== ""));
  if (rest.length > MAX_ROWS || records.length > MAX_LINES) throw new Problem("PAYLOAD_TOO_LARGE", TOO_LONG);
  if (!first) throw invalid("body", "The file is empty.");
  if (first.cells.length > MAX_COLUMNS) throw invalid("body", `Send at most ${MAX_COLUMNS} columns.`);
  const header = readHeader(first.cells);
  if (rest.length === 0) throw invalid("body", "The file has a header and no rows.");
  return { header, lines: rest.map(({ row, cells }) => toLine(header, row, cells)) };
}

function readRecords(text: string): string[][] {
  try {
    return parse(text, { bom: true, relax_column_count: true, trim: true, delimiter: delimiterOf(text), to: MAX_LINES + 1 });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalid("body", `The file is no CSV from line ${error.lines ?? 1} on: check its quotes, and save it again as CSV UTF-8.`);
  }
}

/** Spreadsheets write semicolons or tabs where the comma is a decimal sign. The header has no such sign. */
function delimiterOf(text: string): string {
  const header = /\S.*/.exec(text)?.[0] ?? "";
  return [";", "\t"].find((each) => header.includes(each) && !header.includes(",")) ?? ",";
}

function toLine({ names, at }: Header, row: number, cells: string[]): Line {
  const kept = cells.slice(0, MAX_COLUMNS).map((cell) => [...cell].slice(0, MAX_CELL).join(""));
  return {
    row,
    cells: Object.fromEntries(kept.flatMap((cell, n) => (cell === "" ? [] : [[nameOf(names, n), cell]]))),
    cell: (column) => cells[at[column] ?? -1] ?? "",
    mayBeSplit: cells.some((cell, n) => cell !== "" && (names[n] ?? "") === "") || isSplitAmount(at, cells),
  };
}

/** Thousands, and the three digits after them in a cell that is not read. */
function isSplitAmount(at: Header["at"], cells: string[]): boolean {
  if (at.amount === undefined || Object.values(at).includes(at.amount + 1)) return false;
  return /\d{1,3}$/.test(cells[at.amount] ?? "") && /^\d{3}(?:\.\d*)?$/.test(cells[at.amount + 1] ?? "");
}

/** A column without a name, or with that of an earlier one, is named by its number, so that no cell hides another. */
function nameOf(names: string[], n: number): string {
  const name = (names[n] ?? "").slice(0, 40);
  return name === "" || name === "__proto__" || names.findIndex((each) => each.slice(0, 40) === name) < n ? `column ${n + 1}` : name;
}
