import { eq } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { businesses, members, users } from "#db/schema/tenants.ts";
import { normalEmail, type UserRow } from "./user.ts";

export async function findUserByEmail(email: string, reader: Tx | Database = db()): Promise<UserRow | undefined> {
  const [row] = await reader
    .select()
    .from(users)
    .where(eq(users.email, normalEmail(email)));
  return row;
}

/** Returns a person whose email is verified, or undefined. */
export async function findVerifiedUser(reader: Tx | Database, email: string): Promise<Pick<UserRow, "id"> | undefined> {
  const user = await findUserByEmail(email, reader);
  return user?.emailVerifiedAt ? { id: user.id } : undefined;
}

/** Returns the row of a known user. Users who have verified their email are never deleted, so a missing one throws an Error. */
export async function getUserRow(id: string, reader: Tx | Database = db()): Promise<UserRow> {
  const [row] = await reader.select().from(users).where(eq(users.id, id));
  if (!row) throw new Error(`no user ${id}`);
  return row;
}

/** Returns the names of the businesses that a user is in, or will be in once the email is verified. */
export async function businessNamesOf({ id, pendingBusiness }: UserRow): Promise<string[]> {
  const rows = await db()
    .select({ name: businesses.name })
    .from(members)
    .innerJoin(businesses, eq(businesses.id, members.businessId))
    .where(eq(members.userId, id));
  return [...(pendingBusiness === null ? [] : [pendingBusiness]), ...rows.map(({ name }) => name)];
}

/** Locks a user until the transaction ends. Throws an Error for a missing one, as `getUserRow` does. */
export async function lockUser(tx: Tx, id: string): Promise<UserRow> {
  const [row] = await tx.select().from(users).where(eq(users.id, id)).for("update");
  if (!row) throw new Error(`no user ${id}`);
  return row;
}
