import { eq } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { passkeys } from "#db/schema/two-factor.ts";

export type PasskeyRow = typeof passkeys.$inferSelect;

/** A key in a person's device, by which the person signs in. */
export interface Passkey {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export const passkeyFromRow = ({ id, name, createdAt, lastUsedAt }: PasskeyRow): Passkey => ({ id, name, createdAt, lastUsedAt });

/** Returns the rows of a user's passkeys, the oldest first. A user has at most 20. */
export const passkeyRowsOf = (userId: string, reader: Tx | Database = db()): Promise<PasskeyRow[]> =>
  reader.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(passkeys.id);
