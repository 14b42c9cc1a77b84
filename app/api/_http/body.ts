import { invalid, Problem } from "#lib/problem.ts";
import { readAtMost } from "#lib/read-at-most.ts";

const MOST_BYTES = 64 * 1024;
/** A double keeps 15 digits; a longer number may not be the one that was sent. */
const MOST_DIGITS = 15;

/** The JSON body, or `{}` for none. Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON. */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readAtMost(request, MOST_BYTES);
  if (!bytes) throw new Problem("PAYLOAD_TOO_LARGE", "Send at most 64 KB.");
  if (bytes.length === 0) return {};
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const text = decode(bytes);
  if (text.trim() === "{}") return {};
  if (type !== "application/json") {
    throw new Problem("UNSUPPORTED_MEDIA_TYPE", "Send JSON, with Content-Type: application/json.");
  }
  return parse(text);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Problem("MALFORMED_JSON", "The body is not valid UTF-8.", { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, refuseWhatJsonHides);
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw new Problem("MALFORMED_JSON", "The body is not valid JSON. Check quotes, commas and brackets.", { cause });
  }
}

// A number with more digits than a double holds would be rounded silently: it becomes no number, which every schema refuses.
// A field named __proto__ would vanish silently.
function refuseWhatJsonHides(key: string, value: unknown, context?: { source?: string }): unknown {
  if (key === "__proto__") throw invalid("__proto__", "Unknown field. Remove it.");
  const source = context?.source;
  if (typeof value !== "number" || source === undefined) return value;
  return source.replace(/[^\d]/g, "").length > MOST_DIGITS ? Number.NaN : value;
}
