import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { factorRemovals } from "#db/schema/two-factor.ts";
import { newId } from "#lib/ids.ts";
import { DAY_MS } from "#lib/time.ts";
import type { Context, SystemContext } from "../context.ts";
import { timesOfFactors } from "./all-factors.ts";
import { mailRemoveFactors } from "./links.ts";
import { getUserRow } from "./rows.ts";
import { noteChange } from "./second-factor-changed.ts";
import { endTokens } from "./tokens.ts";
import type { UserRow } from "./user.ts";

type Removal = typeof factorRemovals.$inferSelect;

/** The link is mailed this long after the request, so that an hour with somebody's mailbox is not enough. */
const LINK_AFTER_MS = DAY_MS;
/** Factors that are all younger may be removed by the mailbox alone. */
const YOUNG_MS = 30 * DAY_MS;

const isOpenOf = (userId: string) => and(eq(factorRemovals.userId, userId), isNull(factorRemovals.endedAt));

/** Returns whether the mailbox may remove the second factors of a user: there are some, and each was added within the last 30 days. */
export async function mayRemoveByMail(tx: Tx, userId: string): Promise<boolean> {
  const times = await timesOfFactors(userId, tx);
  return times.length > 0 && times.every((at) => at.getTime() > Date.now() - YOUNG_MS);
}

/** Stores a request to remove all second factors of a user, in place of an open one, and tells the user. The caller has locked the user. */
export async function storeRemoval(tx: Tx, ctx: Context, user: UserRow, askedBy: Removal["askedBy"]): Promise<void> {
  await endRemoval(tx, user.id, "replaced");
  await tx.insert(factorRemovals).values({ userId: user.id, id: newId("factorRemoval"), askedBy });
  await noteChange(tx, ctx, user, askedBy === "mail" ? "removal_asked" : "removal_asked_by_operator");
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
 * Ends the open request of a user who signs in with a second factor, and tells the user. The mail's link "This was not me" answers for the user's
 * factors of the last 30 days too: where a thief added them and signs in with them again and again, the owner of the mailbox still has a way.
 */
export async function endRemovalBySignIn(tx: Tx, ctx: Context, user: UserRow): Promise<void> {
  if (!(await endRemoval(tx, user.id, "signed_in"))) return;
  const added = (await timesOfFactors(user.id, tx)).map((at) => at.getTime());
  const since = Math.max(Math.min(...added), Date.now() - YOUNG_MS);
  await noteChange(tx, ctx, user, "removal_ended", new Date(since));
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
export async function mailDueRemovals(ctx: SystemContext): Promise<number> {
  let mailed = 0;
  while (mailed < MAX_AT_ONCE && (await mailOne(ctx))) mailed++;
  return mailed;
}

const mailOne = (ctx: SystemContext): Promise<boolean> =>
  transaction(async (tx) => {
    const [due] = await tx
      .select()
      .from(factorRemovals)
      .where(
        and(
          ...[isNull(factorRemovals.endedAt), isNull(factorRemovals.linkMailedAt)],
          sql`${factorRemovals.createdAt} <= now() - ${LINK_AFTER_MS} * interval '1 ms'`,
        ),
      )
      .limit(1)
      .for("update", { skipLocked: true });
    if (!due) return false;
    await tx
      .update(factorRemovals)
      .set({ linkMailedAt: sql`now()` })
      .where(and(eq(factorRemovals.userId, due.userId), eq(factorRemovals.id, due.id)));
    await mailRemoveFactors(tx, ctx, await getUserRow(due.userId, tx));
    return true;
  });
