import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { db, type Tx, transaction } from "#db/client.ts";
import { factorRemovals } from "#db/schema/two-factor.ts";
import { newId } from "#lib/ids.ts";
import { DAY_MS } from "#lib/time.ts";
import type { Context, SystemContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import { mailRemoveFactors } from "../links.ts";
import { lockUser } from "../rows.ts";
import { endTokens } from "../tokens.ts";
import type { UserRow } from "../user.ts";
import { timesOfFactors } from "./all-factors.ts";
import { noteChange } from "./second-factor-changed.ts";

type Removal = typeof factorRemovals.$inferSelect;

/** The link is mailed this long after the request, so that an hour in another person's mailbox is not enough. */
const LINK_AFTER_MS = DAY_MS;
/** If all factors are younger than this, the owner of the mailbox may remove them. */
const YOUNG_MS = 30 * DAY_MS;

const isOpenOf = (userId: string) => and(eq(factorRemovals.userId, userId), isNull(factorRemovals.endedAt));

/** Returns whether the mailbox may remove the second factors of a user: there are some, and each was added within the last 30 days. */
export async function mayRemoveByMail(tx: Tx, userId: string): Promise<boolean> {
  const times = await timesOfFactors(userId, tx);
  return times.length > 0 && times.every((at) => at.getTime() > Date.now() - YOUNG_MS);
}

/** Returns when the first factor of a user was added, at most 30 days ago: mails about the removal answer for all that happened since. */
export const startOfFactors = ({ factorsSince }: UserRow): Date => new Date(Math.max(factorsSince?.getTime() ?? 0, Date.now() - YOUNG_MS));

/** Stores a request to remove all second factors of a user, in place of an open one, and tells the user. The caller has locked the user. */
export async function storeRemoval(tx: Tx, ctx: Context, user: UserRow, askedBy: Removal["askedBy"]): Promise<void> {
  await endRemoval(tx, user.id, "replaced");
  await tx.insert(factorRemovals).values({ userId: user.id, id: newId("factorRemoval"), askedBy });
  await noteChange(tx, ctx, user, askedBy === "mail" ? "removal_asked" : "removal_asked_by_operator", startOfFactors(user));
}

/** Returns whether a request of an operator is open for a user. */
export const hasRemovalOfOperator = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx.$count(factorRemovals, and(isOpenOf(userId), eq(factorRemovals.askedBy, "operator")))) > 0;

/**
 * Ends the open request of a user because of a reset by mail, with the link that was mailed for it. An operator's request goes on: the operator has
 * checked who asks, and a person who has lost the factors may have lost the password too. The caller has locked the user.
 */
export async function endRemovalByReset(tx: Tx, userId: string): Promise<void> {
  if (!(await hasRemovalOfOperator(tx, userId))) await endRemoval(tx, userId, "replaced");
}

/** Ends the open request of a user, with the link that was mailed for it. Returns whether there was one. The caller has locked the user. */
export async function endRemoval(tx: Tx, userId: string, end: NonNullable<Removal["end"]>): Promise<boolean> {
  const ended = await tx
    .update(factorRemovals)
    .set({ endedAt: sql`now()`, end })
    .where(isOpenOf(userId))
    .returning({ id: factorRemovals.id });
  if (ended.length > 0) await endTokens(tx, "remove_factors", userId);
  return ended.length > 0;
}

/**
 * Ends the open request of a user who signs in with a second factor or proves by one, and tells the user. The mail's link "This was not me" works
 * for the user's factors of the last 30 days too. So if a thief added them and signs in with them again and again, the owner of the mailbox can still
 * remove them.
 */
export async function endRemovalBySignIn(tx: Tx, ctx: Context, user: UserRow): Promise<void> {
  if (!(await endRemoval(tx, user.id, "signed_in"))) return;
  await noteChange(tx, ctx, user, "removal_ended", startOfFactors(user));
}

/** Ends the request of a user whose link was mailed, because its factors are removed. Returns false if it ended before. */
export async function finishRemoval(tx: Tx, userId: string): Promise<boolean> {
  const finished = await tx
    .update(factorRemovals)
    .set({ endedAt: sql`now()`, end: "removed" })
    .where(and(isOpenOf(userId), isNotNull(factorRemovals.linkMailedAt)))
    .returning({ id: factorRemovals.id });
  return finished.length > 0;
}

const MAX_AT_ONCE = 50;

/** Mails the link of each request that was made a day ago. Returns how many it mailed. */
export const mailDueRemovals = verb({ actor: ["system"] }, async (ctx: SystemContext): Promise<number> => {
  const due = await db()
    .select({ userId: factorRemovals.userId, id: factorRemovals.id })
    .from(factorRemovals)
    .where(isDue())
    .limit(MAX_AT_ONCE);
  let mailed = 0;
  for (const each of due) if (await mailOne(ctx, each)) mailed++;
  return mailed;
});

const isDue = () =>
  and(
    ...[isNull(factorRemovals.endedAt), isNull(factorRemovals.linkMailedAt)],
    sql`${factorRemovals.createdAt} <= now() - ${LINK_AFTER_MS} * interval '1 ms'`,
  );

/** Locks the user before the request, in the same order as a sign-in, which may end the request in the meantime. */
async function mailOne(ctx: SystemContext, { userId, id }: Pick<Removal, "userId" | "id">): Promise<boolean> {
  return transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    const [mailed] = await tx
      .update(factorRemovals)
      .set({ linkMailedAt: sql`now()` })
      .where(and(eq(factorRemovals.userId, userId), eq(factorRemovals.id, id), isDue()))
      .returning({ id: factorRemovals.id });
    if (mailed) await mailRemoveFactors(tx, ctx, user);
    return mailed !== undefined;
  });
}
