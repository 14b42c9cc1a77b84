import { settings } from "#lib/env.ts";
import { isDashboardHost, isPublicHost } from "#lib/faces.ts";
import { Problem } from "#lib/problem.ts";
import type { Call } from "./call.ts";
import { identifyKey } from "./identify-key.ts";
import { identifyMember, isFromPage } from "./identify-member.ts";
import type { Callers, Identity } from "./identity.ts";

interface Admitted {
  /** Absent: keys and sessions both may call. */
  callers?: Callers;
  opensByLink?: true;
  answersFormerMembers?: true;
}

/**
 * Returns the identity that a request proves: by its pair of keys or, without keys, by its session cookie. Throws the errors of
 * `identifyKey` and `identifyMember`, MISSING_CREDENTIALS for keys where only sessions may call, and for keys or a session at a host that
 * takes only the other, and PERMISSION_DENIED for a session where only keys may call.
 */
export async function identify(
  call: Call,
  request: Request,
  { callers = "both", opensByLink, answersFormerMembers }: Admitted,
): Promise<Identity> {
  const { headers } = request;
  const hasKeys = headers.has("x-api-key") || headers.has("x-api-secret");
  if (callers === "sessions" && hasKeys) throw new Problem("MISSING_CREDENTIALS", "This endpoint takes no keys. Sign in to the dashboard.");
  const isKeyed = hasKeys || (callers !== "sessions" && !isFromPage(request));
  requireRightHost(headers.get("host"), isKeyed);
  if (isKeyed) return identifyKey(call, request);
  const member = await identifyMember(call, request, { opensByLink, answersFormerMembers });
  if (callers === "keys")
    throw new Problem("PERMISSION_DENIED", "This endpoint takes keys only. In the dashboard, open the page of the card.");
  return member;
}

/** Throws MISSING_CREDENTIALS for keys at the dashboard's own host, and for a session elsewhere. */
function requireRightHost(host: string | null, isKeyed: boolean): void {
  if (isKeyed ? isPublicHost(host) : isDashboardHost(host)) return;
  const advice = isKeyed ? `Send requests with keys to ${settings().BASE_URL}.` : `Sign in at ${settings().DASHBOARD_URL}.`;
  throw new Problem("MISSING_CREDENTIALS", `This address does not take them. ${advice}`);
}
