import { eq } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import { normalEmail, type UserRow } from "./user.ts";

export async function findUserByEmail(email: string, reader: Tx | Database = db()): Promise<UserRow | undefined> {
  const [row] = await reader
    .select()
    .from(users)
    .where(eq(users.email, normalEmail(email)));
  return row;
}

/** Returns the row of a known user. Users are never deleted, so a missing one throws an Error. */
export async function getUserRow(id: string): Promise<UserRow> {
  const [row] = await db().select().from(users).where(eq(users.id, id));
  if (!row) throw new Error(`no user ${id}`);
  return row;
}

/** Locks a user until the transaction ends. Throws an Error for a missing one, as `getUserRow` does. */
export async function lockUser(tx: Tx, id: string): Promise<UserRow> {
  const [row] = await tx.select().from(users).where(eq(users.id, id)).for("update");
  if (!row) throw new Error(`no user ${id}`);
  return row;
}
