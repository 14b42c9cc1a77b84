import { randomBytes } from "node:crypto";
import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { db, type Tx } from "#db/client.ts";
import { knownDevices } from "#db/schema/users.ts";
import { log } from "#lib/log.ts";
import { keyedHash } from "#lib/secrets.ts";

const TOKEN_BYTES = 32;
/** The most devices of a user. A person has a few browsers; the others are browsers that delete their cookies. */
const MAX_DEVICES = 20;
/** Returns the hash by which a device is stored. */
export const hashOfDevice = (token: string): string => keyedHash("device-token", token);

/** Returns the hash of a device's token if the user has signed in with that device before, otherwise null. */
export async function knownDevice(userId: string, token: string | null): Promise<string | null> {
  // A cookie may be empty.
  if (!token) return null;
  const hash = hashOfDevice(token);
  const [row] = await db()
    .select({ hash: knownDevices.hash })
    .from(knownDevices)
    .where(and(eq(knownDevices.userId, userId), eq(knownDevices.hash, hash)));
  return row?.hash ?? null;
}

interface Remembered {
  /** The token for the device's cookie. */
  token: string;
  /** Whether the user has signed in before, but never with this device. */
  isAnother: boolean;
}

/**
 * Remembers that the user has signed in with a device. The token for its cookie is a new one unless the given one is known already, so that no
 * client chooses its token. Keeps the 20 devices that were used last. The caller has locked the user.
 */
export async function rememberDevice(tx: Tx, userId: string, given: string | null): Promise<Remembered> {
  const ofUser = eq(knownDevices.userId, userId);
  if (given) {
    const isIt = and(ofUser, eq(knownDevices.hash, hashOfDevice(given)));
    const used = await tx.update(knownDevices).set({ lastUsedAt: sql`now()` }).where(isIt).returning({ hash: knownDevices.hash });
    if (used.length > 0) return { token: given, isAnother: false };
  }
  const isAnother = (await tx.$count(knownDevices, ofUser)) > 0;
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  await tx.insert(knownDevices).values({ userId, hash: hashOfDevice(token) });
  await forgetOldest(tx, userId);
  return { token, isAnother };
}

async function forgetOldest(tx: Tx, userId: string): Promise<void> {
  const ofUser = eq(knownDevices.userId, userId);
  const tooMany = tx
    .select({ hash: knownDevices.hash })
    .from(knownDevices)
    .where(ofUser)
    .orderBy(desc(knownDevices.lastUsedAt))
    .offset(MAX_DEVICES);
  const forgotten = await tx
    .delete(knownDevices)
    .where(and(ofUser, inArray(knownDevices.hash, tooMany)))
    .returning({ hash: knownDevices.hash });
  if (forgotten.length > 0) log().info({ userId, devices: forgotten.length }, "devices were forgotten, because the user has too many");
}

/** Deletes all devices of a user. Each then counts as unknown until it signs in again. */
export const forgetDevices = async (tx: Tx, userId: string): Promise<void> => {
  await tx.delete(knownDevices).where(eq(knownDevices.userId, userId));
};
