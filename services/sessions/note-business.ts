import { eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Session } from "./session.ts";

/** Remembers the business whose pages a browser opened last: a path that names no business leads there. */
export async function noteBusiness(session: Session, businessId: string): Promise<void> {
  if (session.lastBusinessId === businessId) return;
  await db().update(sessions).set({ lastBusinessId: businessId }).where(eq(sessions.id, session.id));
  // This process caches the session for a second, so the cached object is changed too.
  session.lastBusinessId = businessId;
}
