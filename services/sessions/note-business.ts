import { eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Session } from "./session.ts";

/** Remembers the business whose pages a browser opened last: a path that names no business leads there. */
export async function noteBusiness({ id, lastBusinessId }: Session, businessId: string): Promise<void> {
  if (lastBusinessId === businessId) return;
  await db().update(sessions).set({ lastBusinessId: businessId }).where(eq(sessions.id, id));
}
