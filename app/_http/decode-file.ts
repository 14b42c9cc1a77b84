import { invalid } from "#lib/problem.ts";

const SAVE_AS = "Save it as CSV UTF-8, then send it again.";
const startsWith = (bytes: Uint8Array, ...start: number[]) => start.every((byte, at) => bytes[at] === byte);

/**
 * Returns the text of a CSV file, without a byte order mark: UTF-8, or UTF-16 with its mark, which Excel calls "Unicode text". Throws VALIDATION_ERROR
 * that says what the file is: a workbook, a file of Windows-1252, or one that is damaged.
 */
export function decodeFile(bytes: Uint8Array): string {
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04) || startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    throw invalid(
      "body",
      `This is a workbook of a spreadsheet, not a CSV file. Open it, choose "Save as" and "CSV UTF-8", and send that file.`,
    );
  }
  const encoding = startsWith(bytes, 0xff, 0xfe) ? "utf-16le" : startsWith(bytes, 0xfe, 0xff) ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw invalid("body", reasonOf(bytes, encoding));
  }
}

/** Bytes that Windows-1252 does not have. */
const NOT_OF_WINDOWS = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

function reasonOf(bytes: Uint8Array, encoding: string): string {
  if (encoding !== "utf-8") return `The file begins as UTF-16 and is damaged behind that. ${SAVE_AS}`;
  const isText = bytes.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
  if (isText && !bytes.some((byte) => NOT_OF_WINDOWS.has(byte))) {
    return `The file is written in Windows-1252, the encoding of older spreadsheets, and its accents would be lost. ${SAVE_AS}`;
  }
  return `The file is not UTF-8. ${SAVE_AS}`;
}
