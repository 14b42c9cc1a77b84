import { hash } from "node:crypto";
import { type Answer, toResponse } from "./answers.ts";
import type { Call } from "./call.ts";

/**
 * Returns the answer with an ETag, or 304 when `If-None-Match` names that tag (RFC 9110, 13.1.2). The tag is a hash of the body, so any
 * change of the body changes it. Only the client may cache the answer, and it must revalidate each time.
 */
export function toRevalidatedResponse(call: Call, request: Request, answer: Answer): Response {
  const tag = `"${hash("sha256", JSON.stringify(answer.body), "base64url").slice(0, 27)}"`;
  Object.assign(call.headers, { ETag: tag, "Cache-Control": "private, no-cache", Vary: "X-Api-Key" });
  const known = (request.headers.get("if-none-match") ?? "").split(",").map((each) => each.trim().replace(/^W\//, ""));
  if (!known.includes(tag) && !known.includes("*")) return toResponse(answer, call.headers);
  return new Response(null, { status: 304, headers: call.headers });
}
