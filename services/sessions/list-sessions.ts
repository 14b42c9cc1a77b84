import { and, desc, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Context } from "../context.ts";
import { isOpen } from "./rows.ts";
import { type Session, sessionFromRow } from "./session.ts";

const MAX_LISTED = 100;

/** Returns the open sessions of the person who asks, the last used first, at most 100. */
export async function listOwnSessions({ actor }: Context): Promise<Session[]> {
  const rows = await db()
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, actor.id), isOpen()))
    .orderBy(desc(sessions.lastSeenAt))
    .limit(MAX_LISTED);
  return rows.map(sessionFromRow);
}
