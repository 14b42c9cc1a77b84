import { eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import type { MemberContext } from "../context.ts";
import { type User, userFromRow } from "./user.ts";

/** Returns the person who acts. */
export async function getOwnUser({ actor }: MemberContext): Promise<User> {
  const [row] = await db().select().from(users).where(eq(users.id, actor.id));
  if (!row) throw new Error(`no user ${actor.id}`);
  return userFromRow(row);
}
