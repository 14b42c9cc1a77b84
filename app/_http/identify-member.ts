import { cookieIn } from "#lib/cookies.ts";
import { settings } from "#lib/env.ts";
import { invalid, notFound, Problem } from "#lib/problem.ts";
import type { Actor } from "#services/context.ts";
import { findMembership, mayRole, rolesWith } from "#services/members/index.ts";
import { findSession } from "#services/sessions/index.ts";
import type { Call } from "./call.ts";
import type { Identity } from "./identity.ts";
import { requireOwnOrigin } from "./own-origin.ts";
import { countRequest } from "./rate-limit.ts";

/** The merchant that a page is about. It comes from the page's URL and never from a cookie, so that a second tab cannot change it. */
const MERCHANT_HEADER = "oja-merchant";

/** One browser: twenty requests a second, sixty at once. */
export const SESSION_RATE = { perSecond: 20, burst: 60 };

const cookieOf = (headers: Headers) => cookieIn(headers.get("cookie") ?? "", "session");

/**
 * Returns whether a request without keys comes from a page of ours. Such a request without a session is not counted as a failure of its
 * address: a page that is left open must not lock out the servers of its office.
 */
export const isFromPage = ({ headers }: Request): boolean => headers.has(MERCHANT_HEADER) || cookieOf(headers) !== undefined;

/**
 * Returns the identity of the member whose session cookie a request carries, in the merchant that `Oja-Merchant` names. Throws
 * MISSING_CREDENTIALS without an open session, PERMISSION_DENIED for a request from another origin, VALIDATION_ERROR without
 * `Oja-Merchant`, RATE_LIMITED, and RESOURCE_NOT_FOUND for a merchant of a business that the user is not a member of.
 */
export async function identifyMember(call: Call, request: Request): Promise<Identity> {
  const cookie = cookieOf(request.headers);
  const session = cookie === undefined ? undefined : await findSession(cookie);
  if (!session) throw new Problem("MISSING_CREDENTIALS", "You are not signed in, or your session has ended. Sign in again.");
  // Counted before anything else is looked up, so that refusals are limited too.
  Object.assign(call.headers, countRequest({ name: "session", key: session.id, ...SESSION_RATE }));
  requireOwnOrigin(request);
  const merchantId = request.headers.get(MERCHANT_HEADER);
  if (merchantId === null) throw invalid("Oja-Merchant", "Send the id of the merchant that the page is about.");
  const membership = await findMembership(session.userId, merchantId);
  if (!membership || (membership.merchant.mode === "test" && !settings().OJA_TEST_MODE)) throw notFound("merchant");
  const { merchant, role } = membership;
  const actor: Actor = { type: "member", id: session.userId };
  Object.assign(call, { merchantId: merchant.id, actor });
  return {
    ...{ actor, merchant, role, sessionId: session.id },
    may: (permission) => mayRole(role, permission, merchant.mode),
    adviceWithout: (permission) =>
      `Your role is ${role}. In ${merchant.mode} mode this is for: ${rolesWith(permission, merchant.mode).join(", ")}.`,
  };
}
