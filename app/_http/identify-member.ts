import { cookieIn } from "#lib/cookies.ts";
import { settings } from "#lib/env.ts";
import { invalid, notFound, Problem } from "#lib/problem.ts";
import { isStorable } from "#lib/storable-text.ts";
import type { Actor } from "#services/context.ts";
import { findFormerMembership, findMembership, isLockedOut, type Membership, mayRole, rolesWith } from "#services/members/index.ts";
import { findSession, type Session } from "#services/sessions/index.ts";
import type { Call } from "./call.ts";
import type { Identity } from "./identity.ts";
import { requireOwnLink, requireOwnOrigin } from "./own-origin.ts";
import { countRequest, SESSION_RATE } from "./rate-limit.ts";

/** The merchant that a page is about. It comes from the page's URL and never from a cookie, so that another tab cannot change it. */
const MERCHANT_HEADER = "oja-merchant";
export const MERCHANT_PARAMETER = "merchant";

const cookieOf = (headers: Headers) => cookieIn(headers.get("cookie") ?? "", "session");

/**
 * Returns whether a request without keys comes from a page of ours. Such a request without a session is not counted as a failure of its
 * address: a page that is left open must not lock out the servers of its office.
 */
export const isFromPage = ({ headers }: Request): boolean => headers.has(MERCHANT_HEADER) || cookieOf(headers) !== undefined;

interface Way {
  /** The request comes from a link (`opensByLink` of a declaration). */
  opensByLink: true | undefined;
  /** A person who has left the business is identified too, with the permission `self` alone. */
  answersFormerMembers: true | undefined;
}

/**
 * Returns the identity of the member whose session cookie a request carries, in the merchant that `Oja-Merchant` names, or for a link its
 * parameter `merchant`. Throws MISSING_CREDENTIALS without an open session, PERMISSION_DENIED for a request from another origin,
 * VALIDATION_ERROR without a merchant, RATE_LIMITED, and RESOURCE_NOT_FOUND for a merchant of a business that the user is not a member of.
 */
export async function identifyMember(call: Call, request: Request, { opensByLink, answersFormerMembers }: Way): Promise<Identity> {
  const session = await openSessionOf(request);
  // Counted before anything else is looked up, so that refusals are limited too.
  Object.assign(call.headers, countRequest({ name: "session", key: session.id, ...SESSION_RATE }));
  if (opensByLink) requireOwnLink(request);
  else requireOwnOrigin(request);
  const merchantId = opensByLink ? merchantOfLink(call) : merchantOfPage(request);
  const former = answersFormerMembers && (await findFormerMembership(session.userId, merchantId));
  const { actor, ...member } = former ? formerMember(session, former) : await memberOf(session, merchantId);
  Object.assign(call, { merchantId: member.merchant.id, actor });
  return { actor, ...member };
}

/**
 * Identifies the member of a download again, without counting a request, because a session may end while a download runs. Throws as
 * `identifyMember` does.
 */
export const identifyMemberAgain = async (call: Call, request: Request): Promise<Identity> =>
  memberOf(await openSessionOf(request), merchantOfLink(call));

async function openSessionOf({ headers }: Request): Promise<Session> {
  const cookie = cookieOf(headers);
  const session = cookie === undefined ? undefined : await findSession(cookie);
  if (!session) throw new Problem("MISSING_CREDENTIALS", "You are not signed in, or your session has ended. Sign in again.");
  return session;
}

function merchantOfPage({ headers }: Request): string {
  const merchantId = headers.get(MERCHANT_HEADER);
  if (merchantId === null) throw invalid("Oja-Merchant", "Send the id of the merchant that the page is about.");
  return merchantId;
}

function merchantOfLink({ url }: Call): string {
  const [merchantId, ...others] = url.searchParams.getAll(MERCHANT_PARAMETER);
  if (merchantId === undefined || others.length > 0)
    throw invalid(MERCHANT_PARAMETER, "Send the id of the merchant that the page is about, once.");
  if (!isStorable(merchantId)) throw notFound("merchant");
  return merchantId;
}

async function memberOf(session: Session, merchantId: string): Promise<Identity> {
  const membership = await findMembership(session.userId, merchantId);
  if (!membership || (membership.merchant.mode === "test" && !settings().OJA_TEST_MODE)) throw notFound("merchant");
  const { merchant, role, secondFactorMissingSince } = membership;
  const actor: Actor = { type: "member", id: session.userId };
  // Without the second factor that the business asks for, a person may only set one up.
  const isLocked = isLockedOut(secondFactorMissingSince, session);
  return {
    ...{ actor, merchant, role, sessionId: session.id },
    may: (permission) => mayRole(role, permission, merchant.mode) && (permission === "self" || !isLocked),
    adviceWithout: (permission) =>
      isLocked
        ? `${merchant.businessName} asks its team for two-step sign-in. Turn it on, on the page Your security, then do this again.`
        : `Your role is ${role}. In ${merchant.mode} mode this is for: ${rolesWith(permission, merchant.mode).join(", ")}.`,
  };
}

const formerMember = (session: Session, { merchant, role }: Membership): Identity => ({
  ...{ actor: { type: "member", id: session.userId }, merchant, role, sessionId: session.id },
  may: (permission) => permission === "self",
  adviceWithout: () => `You have left ${merchant.businessName}.`,
});
