import { hash } from "node:crypto";
import { type Answer, toResponse } from "./answers.ts";
import type { Call } from "./call.ts";

/** RFC 9110, 13.1.2: the tag is of these bytes, so it changes with any of them. Kept by the client alone, and asked about each time. */
export function unlessKnown(call: Call, request: Request, answer: Answer): Response {
  const tag = `"${hash("sha256", JSON.stringify(answer.body), "base64url").slice(0, 27)}"`;
  Object.assign(call.headers, { ETag: tag, "Cache-Control": "private, no-cache", Vary: "X-Api-Key" });
  const known = (request.headers.get("if-none-match") ?? "").split(",").map((each) => each.trim().replace(/^W\//, ""));
  if (!known.includes(tag) && !known.includes("*")) return toResponse(answer, call.headers);
  return new Response(null, { status: 304, headers: call.headers });
}
