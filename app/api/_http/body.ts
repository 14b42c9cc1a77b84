import { Problem } from "#lib/problem.ts";

const MOST_BYTES = 64 * 1024;
/** A double keeps 15 digits; a longer number may not be the one that was sent. */
const MOST_DIGITS = 15;

/** The JSON body, or `{}` for none. Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON. */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readAtMost(request, MOST_BYTES);
  if (bytes.length === 0) return {};
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const text = decode(bytes);
  if (type === undefined && text.trim() === "{}") return {};
  if (type !== "application/json") {
    throw new Problem("UNSUPPORTED_MEDIA_TYPE", "Send JSON, with Content-Type: application/json.");
  }
  return parse(text);
}

async function readAtMost(request: Request, most: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > most) throw tooLarge();
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > most) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = () => new Problem("PAYLOAD_TOO_LARGE", "Send at most 64 KB.");

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Problem("MALFORMED_JSON", "The body is not valid UTF-8.", { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, refuseImpreciseNumbers);
  } catch (cause) {
    throw new Problem("MALFORMED_JSON", "The body is not valid JSON. Check quotes, commas and brackets.", { cause });
  }
}

// A number with more digits than a double holds would be rounded silently. Left as its text, it fails as "send a number".
function refuseImpreciseNumbers(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== "number" || source === undefined) return value;
  return source.replace(/[^\d]/g, "").length > MOST_DIGITS ? source : value;
}
