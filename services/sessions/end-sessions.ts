import { and, eq, isNull, ne, type SQL, sql } from "drizzle-orm";
import { afterCommit, db, type Tx } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import { log } from "#lib/log.ts";
import { notFound } from "#lib/problem.ts";
import type { Context } from "../context.ts";
import { verb } from "../verb.ts";
import { forgetSessionsOf } from "./find-session.ts";
import { sessionIdOf } from "./token.ts";

/** Ends a session of the person who asks: this process refuses it at once, every other within a second. Throws RESOURCE_NOT_FOUND for any other session. */
export const endOwnSession = verb({ permission: "self" }, async (ctx: Context, id: string): Promise<void> => {
  const ended = await end(undefined, ctx, ctx.actor.id, eq(sessions.id, id));
  if (ended === 0) throw notFound("session");
});

/** Signs the person who asks out of one browser. Does nothing if that session has ended already, as after a double click. */
export const signOut = verb({ actor: ["anyone"] }, async (ctx: Context, id: string): Promise<void> => {
  await end(undefined, ctx, ctx.actor.id, eq(sessions.id, id));
});

/** Ends all sessions of the person who asks but one. Returns how many ended. */
export const endOtherSessions = verb(
  { permission: "self" },
  (ctx: Context, exceptId: string): Promise<number> => end(undefined, ctx, ctx.actor.id, ne(sessions.id, exceptId)),
);

/** Ends all sessions of a user in the caller's transaction, or all but one. Returns how many ended. */
export const endSessionsOf = (tx: Tx, ctx: Context, userId: string, exceptId?: string): Promise<number> =>
  end(tx, ctx, userId, exceptId === undefined ? undefined : ne(sessions.id, exceptId));

/** Ends the session that a cookie names, of any user, because the browser gets another cookie. Does nothing for an unknown cookie. */
export async function endSessionOfCookie(tx: Tx, ctx: Context, token: string): Promise<void> {
  const id = await sessionIdOf(token);
  if (id === undefined) return;
  const [open] = await tx.select({ userId: sessions.userId }).from(sessions).where(eq(sessions.id, id));
  if (open) await end(tx, ctx, open.userId, eq(sessions.id, id));
}

async function end(tx: Tx | undefined, { actor, address, requestId }: Context, userId: string, which?: SQL): Promise<number> {
  const ended = await (tx ?? db())
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), which))
    .returning({ id: sessions.id });
  const forget = () => forgetSessionsOf(userId);
  if (tx) afterCommit(tx, forget);
  else forget();
  if (ended.length > 0) log().info({ userId, by: actor.id, address, requestId, sessions: ended.length }, "sessions ended");
  return ended.length;
}
