import { hash } from "node:crypto";
import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { db } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import { shared } from "#lib/shared.ts";
import { MINUTE_MS } from "#lib/time.ts";
import { isOpen } from "./rows.ts";
import { type Session, sessionFromRow } from "./session.ts";
import { sessionIdOf } from "./token.ts";

/** A session is cached for this long, so its end takes effect within this time. */
const CACHED_FOR_MS = 1_000;
const MAX_CACHED = 10_000;
/** Sessions by the hash of their cookie; null for a cookie that names no open session. */
const cache = shared("sessions", () => ({
  known: new LRUCache<string, { session: Session | null }>({ max: MAX_CACHED, ttl: CACHED_FOR_MS }),
  /** Counts how often the cache was cleared of sessions. A session that was read before the last clearing may have ended since. */
  timesForgotten: 0,
}));
/** `last_seen_at` is written at most this often. */
const SEEN_EVERY_MS = MINUTE_MS;

/** Returns the open session that a cookie names, at most a second old. Returns undefined if it ended, expired or was idle for too long. */
export async function findSession(token: string): Promise<Session | undefined> {
  const name = hash("sha256", token);
  const found = cache.known.get(name);
  if (found) return found.session ?? undefined;
  const { timesForgotten } = cache;
  const session = await readSession(token);
  if (cache.timesForgotten === timesForgotten) cache.known.set(name, { session });
  return session ?? undefined;
}

/** Makes this process read the sessions of a user again, because some of them have ended. */
export function forgetSessionsOf(userId: string): void {
  cache.timesForgotten++;
  for (const [name, { session }] of cache.known) if (session?.userId === userId) cache.known.delete(name);
}

async function readSession(token: string): Promise<Session | null> {
  const id = await sessionIdOf(token);
  if (id === undefined) return null;
  const [row] = await db()
    .select()
    .from(sessions)
    .where(and(eq(sessions.id, id), isOpen()));
  if (!row) return null;
  if (Date.now() - row.lastSeenAt.getTime() > SEEN_EVERY_MS) await noteSeen(id);
  return sessionFromRow(row);
}

async function noteSeen(id: string): Promise<void> {
  const isDue = lt(sessions.lastSeenAt, sql`now() - ${SEEN_EVERY_MS} * interval '1 ms'`);
  await db()
    .update(sessions)
    .set({ lastSeenAt: sql`now()` })
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt), isDue));
}
