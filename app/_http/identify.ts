import { Problem } from "#lib/problem.ts";
import type { Call } from "./call.ts";
import { identifyKey } from "./identify-key.ts";
import { identifyMember, isFromPage } from "./identify-member.ts";
import type { Callers, Identity } from "./identity.ts";

/**
 * Returns the identity that a request proves: by its pair of keys or, without keys, by its session cookie. Throws the errors of
 * `identifyKey` and `identifyMember`, MISSING_CREDENTIALS for keys where only sessions may call, and PERMISSION_DENIED for a session where
 * only keys may call.
 */
export async function identify(call: Call, request: Request, callers: Callers): Promise<Identity> {
  const { headers } = request;
  const hasKeys = headers.has("x-api-key") || headers.has("x-api-secret");
  if (callers === "sessions" && hasKeys) throw new Problem("MISSING_CREDENTIALS", "This endpoint takes no keys. Sign in to the dashboard.");
  if (hasKeys || (callers !== "sessions" && !isFromPage(request))) return identifyKey(call, request);
  const member = await identifyMember(call, request);
  if (callers === "keys")
    throw new Problem("PERMISSION_DENIED", "This endpoint takes keys only. In the dashboard, open the page of the card.");
  return member;
}
