import { type JSONVisitor, visit } from "jsonc-parser";
import { type FieldProblem, invalid, invalidFields, Problem } from "#lib/problem.ts";
import { readAtMost } from "#lib/read-at-most.ts";
import { decodeFile } from "./decode-file.ts";

const MAX_BYTES = 64 * 1024;
/** No endpoint takes a body of more than three levels. */
const MAX_DEPTH = 8;
/** The largest honest body, a bulk order that names each of its 500 rows, has 504 values. */
const MAX_VALUES = 510;
/**
 * The longest field name of the API has 22 characters, and a metadata name has up to 40. Error answers repeat these names, so their length
 * is bounded.
 */
const MAX_NAME_CHARACTERS = 100;

/**
 * Returns the JSON body, or `{}` for an empty one. Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, or VALIDATION_ERROR
 * for a repeated name and for `__proto__`.
 */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readAtMost(request, MAX_BYTES);
  if (!bytes) throw new Problem("PAYLOAD_TOO_LARGE", "Send at most 64 KB.");
  if (bytes.length === 0) return {};
  requirePlainBody(request);
  const type = mediaTypeOf(request);
  const text = decode(bytes);
  if (text.trim() === "{}") return {};
  if (type !== "application/json") {
    throw new Problem("UNSUPPORTED_MEDIA_TYPE", "Send JSON, with Content-Type: application/json.");
  }
  return parse(text);
}

/** A body that is text and no JSON: its media type, and how many bytes it may have. */
export interface TextBody {
  type: "text/csv";
  maxBytes: number;
}

/** Returns the body as text, without a byte order mark. Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, and the errors of `decodeFile`. */
export async function readText(request: Request, { type, maxBytes }: TextBody): Promise<string> {
  const bytes = await readAtMost(request, maxBytes);
  if (!bytes) throw new Problem("PAYLOAD_TOO_LARGE", `Send at most ${maxBytes / 1024} KB.`);
  requireNoEncoding(request);
  if (mediaTypeOf(request) !== type) throw new Problem("UNSUPPORTED_MEDIA_TYPE", `Send the file with Content-Type: ${type}.`);
  return decodeFile(bytes);
}

/** A body that is a file: the media types that it may have, and how many bytes. */
export interface FileBody {
  types: readonly string[];
  maxBytes: number;
}

/** Returns the bytes of a file. Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, or VALIDATION_ERROR for an empty one. */
export async function readFileBody(request: Request, { types, maxBytes }: FileBody): Promise<Uint8Array> {
  requireNoEncoding(request);
  const type = mediaTypeOf(request);
  if (type === undefined || !types.includes(type)) {
    throw new Problem("UNSUPPORTED_MEDIA_TYPE", `Send the file with its Content-Type: ${types.join(", ")}.`);
  }
  const bytes = await readAtMost(request, maxBytes);
  if (!bytes) throw new Problem("PAYLOAD_TOO_LARGE", `Send a file of at most ${maxBytes / (1024 * 1024)} MB.`);
  if (bytes.length === 0) throw invalid("body", "The file is empty.");
  return bytes;
}

/** Throws UNSUPPORTED_MEDIA_TYPE for a compressed body, and for a charset other than UTF-8. */
function requirePlainBody(request: Request): void {
  requireNoEncoding(request);
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers.get("content-type") ?? "")?.[1]?.toLowerCase();
  if (charset !== undefined && !UTF_8.has(charset)) {
    throw new Problem("UNSUPPORTED_MEDIA_TYPE", `Send the body in UTF-8, not in ${charset.slice(0, 40)}.`);
  }
}

/** ASCII is a part of it. */
const UTF_8 = new Set(["utf-8", "utf8", "us-ascii", "ascii"]);

function requireNoEncoding({ headers }: Request): void {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return;
  throw new Problem("UNSUPPORTED_MEDIA_TYPE", "Send the body as it is, without Content-Encoding: compressed bodies are not read.");
}

const mediaTypeOf = ({ headers }: Request) => headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Problem("MALFORMED_JSON", "The body is not valid UTF-8.", { cause });
  }
}

function parse(text: string): unknown {
  try {
    const repeated = repeatedNames(text);
    const value = JSON.parse(text, refuseWhatJsonHides);
    if (repeated.length > 0) throw invalidFields(repeated);
    return value;
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw malformed(cause);
  }
}

const malformed = (cause?: unknown) =>
  new Problem("MALFORMED_JSON", "The body is not valid JSON. Check quotes, commas and brackets.", { cause });

// A field named __proto__ would vanish silently, because zod skips this name in a record. A number of more digits than a double holds is read as
// the nearest double, as its sender computed it: 1234.5599999999999 is 1234.56, and schemas refuse a third decimal and an unsafe integer.
function refuseWhatJsonHides(key: string, value: unknown): unknown {
  if (key === "__proto__") throw invalid("__proto__", "Unknown field. Remove it.");
  return value;
}

/**
 * Returns a problem for each name that an object has twice. `JSON.parse` keeps the last value and other parsers keep the first, so a proxy
 * and Oja could read two different bodies. Throws MALFORMED_JSON or PAYLOAD_TOO_LARGE at the first limit that the body exceeds: the steps
 * after this one would take up to 100 ms for 64 KB of small values.
 */
function repeatedNames(text: string): FieldProblem[] {
  const objects: Set<string>[] = [];
  const repeated: FieldProblem[] = [];
  let depth = 0;
  let values = 0;
  const take = () => {
    if (++values > MAX_VALUES) throw new Problem("PAYLOAD_TOO_LARGE", `Send at most ${MAX_VALUES} values.`);
  };
  const enter = () => {
    take();
    if (++depth > MAX_DEPTH) throw new Problem("MALFORMED_JSON", `Nest at most ${MAX_DEPTH} levels.`);
  };
  const leave = () => {
    depth--;
  };
  const visitor: JSONVisitor = {
    onLiteralValue: take,
    onArrayBegin: enter,
    onArrayEnd: leave,
    onObjectBegin: () => {
      enter();
      objects.push(new Set());
    },
    onObjectEnd: () => {
      leave();
      objects.pop();
    },
    onObjectProperty: (name, _offset, _length, _line, _character, pathOf) => {
      if (name.length > MAX_NAME_CHARACTERS)
        throw new Problem("PAYLOAD_TOO_LARGE", `Name fields with at most ${MAX_NAME_CHARACTERS} characters.`);
      const names = objects.at(-1);
      if (names?.has(name)) repeated.push({ param: [...pathOf(), name].join("."), message: "Send the field once." });
      names?.add(name);
    },
    onError: () => {
      throw malformed();
    },
  };
  visit(text, visitor, { disallowComments: true });
  return repeated;
}
