import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { z } from "zod";
import { clientAddressOf } from "#app/_http/client-address-of.ts";
import { settings } from "#lib/env.ts";
import { newId } from "#lib/ids.ts";
import { TARGET_HEADER } from "#lib/page-headers.ts";
import type { MemberContext } from "#services/context.ts";
import { findMembership, isLockedOut, listMemberships, type Membership, readMembership, type Workplace } from "#services/members/index.ts";
import { noteBusiness, type Session } from "#services/sessions/index.ts";
import { ownSession } from "./own-session.ts";
import { signInPage } from "./return-to.ts";

/** The segment of pages whose address names no business: next.config.mjs adds it. */
const OWN = "own";
/** The page of one's own second factor, below the beginning of the paths. */
const SECURITY = "/security";

const Params = z.object({ business: z.string(), mode: z.enum(["test", "live"]) });

/** The member who opens a page of the dashboard, and where. */
export interface Page {
  ctx: MemberContext;
  /** The beginning of the paths of this business and mode: `/test` or `/b/biz_…/test`. */
  base: string;
  workplace: Workplace;
  /** All businesses of the member. */
  workplaces: Workplace[];
  /** Since when the business asks for a second factor that the member does not have. Null: nothing is missing. */
  secondFactorMissingSince: Date | null;
  /** Whether nothing of the business may be shown: without the second factor that it asks for, a member may only set one up. */
  isLockedOut: boolean;
}

/**
 * Returns the member who opens a page. Redirects a person who is not signed in to the sign-in page, and a member of several businesses from
 * an address without a business to the one that this browser used last, and a person without the second factor that the business asks for to the
 * page where it is set up. Throws a 404 for another mode, and for a business that the person is not a member of.
 */
export async function requireMember(params: Promise<{ business: string; mode: string }>): Promise<Page> {
  const parsed = Params.safeParse(await params);
  if (!parsed.success || (parsed.data.mode === "test" && !settings().OJA_TEST_MODE)) notFound();
  const { business, mode } = parsed.data;
  return memberOf(business, mode);
}

// The layout and the page of one request share the answer.
const memberOf = cache(async (business: string, mode: "test" | "live"): Promise<Page> => {
  const given = await headers();
  const target = given.get(TARGET_HEADER) ?? "/";
  const session = await ownSession();
  if (!session) redirect(signInPage(target));
  const workplaces = await listMemberships(session.userId);
  const workplace = workplaceOf(workplaces, business, session, target);
  const membership = await membershipOf(session, workplace.merchantIds[mode]);
  if (!membership) notFound();
  await noteBusiness(session, workplace.businessId);
  const base = business === OWN ? `/${mode}` : `/b/${business}/${mode}`;
  const { secondFactorMissingSince } = membership;
  const isLocked = isLockedOut(secondFactorMissingSince, session);
  const security = `${base}${SECURITY}`;
  // The address is that of the navigation; a frame that the page asks for later is refused by its endpoint.
  if (isLocked && target.split("?")[0] !== security) redirect(security);
  const ctx: MemberContext = {
    ...{ merchant: membership.merchant, role: membership.role, sessionId: session.id, actor: { type: "member", id: session.userId } },
    requestId: newId("request"),
    address: clientAddressOf({ headers: given }),
  };
  return { ctx, base, workplace, workplaces, secondFactorMissingSince, isLockedOut: isLocked };
});

/** Returns the membership. One that is locked out is read again, so that a second factor opens the pages at once and not a second later. */
async function membershipOf(session: Session, merchantId: string): Promise<Membership | undefined> {
  const known = await findMembership(session.userId, merchantId);
  return known && isLockedOut(known.secondFactorMissingSince, session) ? readMembership(session.userId, merchantId) : known;
}

function workplaceOf(workplaces: Workplace[], business: string, { lastBusinessId }: Session, target: string): Workplace {
  const named = (id: string | null) => workplaces.find(({ businessId }) => businessId === id);
  const [first] = workplaces;
  if (business !== OWN) return named(business) ?? notFound();
  if (!first) redirect("/no-business");
  if (workplaces.length > 1) redirect(`/b/${(named(lastBusinessId) ?? first).businessId}${target.replace(/^\/b\/[^/]+/, "")}`);
  return first;
}
