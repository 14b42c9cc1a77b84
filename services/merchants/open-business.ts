import { and, desc, eq, gt, isNotNull, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { businesses, members, users } from "#db/schema/tenants.ts";
import { invalid } from "#lib/problem.ts";
import { MINUTE_MS } from "#lib/time.ts";
import type { Context } from "../context.ts";
import { verb } from "../verb.ts";
import { insertBusiness } from "./create-business.ts";

/** The most businesses that one person may own, because each writes rows of two merchants. */
const MAX_OWNED = 10;
/** Within this time, a second request with the same name returns the first business, because it is a second click. */
const SAME_FOR_MS = MINUTE_MS;

/** A signed-in person, without a particular business. */
interface UserContext extends Context {
  actor: { type: "member"; id: string };
}

/**
 * Opens another business of a person, in test mode. Returns the one that the person opened under this name within the last minute, if there is one.
 * Throws VALIDATION_ERROR for an owner of ten, and an Error for a person whose email is not verified.
 */
export const openBusiness = verb({ actor: ["anyone"] }, async (ctx: UserContext, name: string): Promise<{ businessId: string }> => {
  const { id: userId } = ctx.actor;
  return transaction(async (tx) => {
    // Locked, so that two clicks are handled one after the other.
    const [user] = await tx
      .select({ email: users.email })
      .from(users)
      .where(and(eq(users.id, userId), isNotNull(users.emailVerifiedAt)))
      .for("update");
    if (!user) throw new Error(`no user ${userId} with a verified email`);
    const recent = await openedJustNow(tx, userId, name);
    if (recent) return { businessId: recent };
    const owned = await tx.$count(members, and(eq(members.userId, userId), eq(members.role, "owner")));
    if (owned >= MAX_OWNED) throw invalid("business", `You own ${MAX_OWNED} businesses, which is the most. Write to support for more.`);
    return insertBusiness(tx, ctx, { name, ownerId: userId, supportEmail: user.email });
  });
});

async function openedJustNow(tx: Tx, userId: string, name: string): Promise<string | undefined> {
  const isYoung = gt(businesses.createdAt, sql`now() - ${SAME_FOR_MS} * interval '1 ms'`);
  const [found] = await tx
    .select({ id: businesses.id })
    .from(businesses)
    .innerJoin(members, and(eq(members.businessId, businesses.id), eq(members.userId, userId), eq(members.role, "owner")))
    .where(and(eq(businesses.name, name), isYoung))
    .orderBy(desc(businesses.id))
    .limit(1);
  return found?.id;
}
