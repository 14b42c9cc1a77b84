import { z } from "zod";
import { clientAddressOf } from "#app/_http/client-address-of.ts";
import { settings } from "#lib/env.ts";
import { newId } from "#lib/ids.ts";
import type { MemberContext } from "#services/context.ts";
import { findMembership, isLockedOut, listMemberships, type Membership, readMembership, type Workplace } from "#services/members/index.ts";
import { noteBusiness, type Session } from "#services/sessions/index.ts";
import { signInPage } from "./return-to.ts";

/** The segment of pages whose address names no business: next.config.mjs adds it. */
const OWN = "own";
/** The path, below `base`, of the page where members set up their own second factor. */
const SECURITY = "/security";

const Place = z.object({ business: z.string(), mode: z.enum(["test", "live"]) });

/** The member who opens a page of the dashboard, with the business and mode of the page. */
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

/** Says that the person is not shown the page: `redirect` is the path to go to instead, or null where there is no such page for them. */
export interface NotShown {
  redirect: string | null;
}

const NOT_FOUND: NotShown = { redirect: null };

interface Asked {
  headers: Pick<Headers, "get">;
  /** The path and query that the person has asked for. */
  target: string;
  session: Session | undefined;
}

/**
 * Returns the member who opens a page at `place`, the parameters of its address. Sends a person who is not signed in to the sign-in page, a member of
 * several businesses from an address without a business to the one that this browser used last, and a person without the second factor that the
 * business asks for to the page where it is set up. There is no page in another mode, and none of a business that the person is not a member of.
 */
export async function findMember(place: unknown, { headers, target, session }: Asked): Promise<Page | NotShown> {
  const parsed = Place.safeParse(place);
  if (!parsed.success || (parsed.data.mode === "test" && !settings().OJA_TEST_MODE)) return NOT_FOUND;
  const { business, mode } = parsed.data;
  if (!session) return { redirect: signInPage(target) };
  const workplaces = await listMemberships(session.userId);
  const workplace = workplaceOf(workplaces, business, session, target);
  if ("redirect" in workplace) return workplace;
  const membership = await membershipOf(session, workplace.merchantIds[mode]);
  if (!membership) return NOT_FOUND;
  await noteBusiness(session, workplace.businessId);
  const base = business === OWN ? `/${mode}` : `/b/${business}/${mode}`;
  const { secondFactorMissingSince } = membership;
  const isLocked = isLockedOut(secondFactorMissingSince, session);
  const security = `${base}${SECURITY}`;
  // `target` is the address of the navigation. A frame that the page loads later is refused by its endpoint.
  if (isLocked && target.split("?")[0] !== security) return { redirect: security };
  const ctx: MemberContext = {
    ...{ merchant: membership.merchant, role: membership.role, sessionId: session.id, actor: { type: "member", id: session.userId } },
    requestId: newId("request"),
    address: clientAddressOf({ headers }),
  };
  return { ctx, base, workplace, workplaces, secondFactorMissingSince, isLockedOut: isLocked };
}

/** Returns the membership. If it is locked out, it is read past the cache, so that a new second factor opens the pages at once. */
async function membershipOf(session: Session, merchantId: string): Promise<Membership | undefined> {
  const known = await findMembership(session.userId, merchantId);
  return known && isLockedOut(known.secondFactorMissingSince, session) ? readMembership(session.userId, merchantId) : known;
}

function workplaceOf(workplaces: Workplace[], business: string, { lastBusinessId }: Session, target: string): Workplace | NotShown {
  const named = (id: string | null) => workplaces.find(({ businessId }) => businessId === id);
  const [first] = workplaces;
  if (business !== OWN) return named(business) ?? NOT_FOUND;
  if (!first) return { redirect: "/no-business" };
  if (workplaces.length === 1) return first;
  return { redirect: `/b/${(named(lastBusinessId) ?? first).businessId}${target.replace(/^\/b\/[^/]+/, "")}` };
}
