import { randomBytes } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { db, type Tx } from "#db/client.ts";
import { knownDevices } from "#db/schema/users.ts";
import { keyedHash } from "#lib/secrets.ts";

const TOKEN_BYTES = 32;
const hashOf = (token: string) => keyedHash("device-token", token);

/** Returns the hash of a device's token if the user has signed in with that device before, otherwise null. */
export async function knownDevice(userId: string, token: string | null): Promise<string | null> {
  if (token === null) return null;
  const hash = hashOf(token);
  const [row] = await db()
    .select({ hash: knownDevices.hash })
    .from(knownDevices)
    .where(and(eq(knownDevices.userId, userId), eq(knownDevices.hash, hash)));
  return row?.hash ?? null;
}

/** Remembers that the user has signed in with a device. Returns the token for its cookie: a new one for a browser that has none. */
export async function rememberDevice(tx: Tx, userId: string, given: string | null): Promise<string> {
  const token = given ?? randomBytes(TOKEN_BYTES).toString("base64url");
  await tx
    .insert(knownDevices)
    .values({ userId, hash: hashOf(token) })
    .onConflictDoUpdate({ target: [knownDevices.userId, knownDevices.hash], set: { lastUsedAt: sql`now()` } });
  return token;
}

/** Forgets all devices of a user: each counts as a stranger until it signs in again. */
export const forgetDevices = async (tx: Tx, userId: string): Promise<void> => {
  await tx.delete(knownDevices).where(eq(knownDevices.userId, userId));
};
