import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import { newId } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import type { Context } from "../context.ts";
import { MAX_AGE_MS } from "./limits.ts";
import { isOpen } from "./rows.ts";
import { type Session, sessionFromRow } from "./session.ts";
import { tokenOf } from "./token.ts";

interface Begun {
  session: Session;
  /** The text of the session's cookie. It is not stored. */
  token: string;
}

/**
 * Signs a user in with one browser, for at most 14 days. Ends the oldest sessions of a user who has more than 50. The caller has proved who the
 * user is, and has locked the user.
 */
export async function beginSession(tx: Tx, { address }: Context, userId: string, userAgent: string | null): Promise<Begun> {
  const expiresAt = sql`now() + ${MAX_AGE_MS} * interval '1 ms'`;
  const [row] = await tx
    .insert(sessions)
    .values({ id: newId("session"), userId, address, userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null, expiresAt })
    .returning();
  if (!row) throw new Error(`no session was stored for ${userId}`);
  await endOldest(tx, userId);
  return { session: sessionFromRow(row), token: await tokenOf(row.id) };
}

const MAX_USER_AGENT = 300;
const MAX_OPEN = 50;

async function endOldest(tx: Tx, userId: string): Promise<void> {
  const tooMany = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isOpen()))
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .offset(MAX_OPEN);
  const ended = await tx.update(sessions).set({ endedAt: sql`now()` }).where(inArray(sessions.id, tooMany)).returning({ id: sessions.id });
  if (ended.length > 0) log().info({ userId, sessions: ended.length }, "sessions ended, because the user has too many");
}
