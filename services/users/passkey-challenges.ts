import { randomBytes } from "node:crypto";
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { passkeyChallenges } from "#db/schema/two-factor.ts";
import { keyedHash } from "#lib/secrets.ts";
import { MINUTE_MS } from "#lib/time.ts";

const CHALLENGE_BYTES = 32;
export const CHALLENGE_WORKS_FOR_MS = 5 * MINUTE_MS;
const hashOf = (challenge: string) => keyedHash("passkey-challenge", challenge);

/**
 * Returns a challenge of 256 random bits for a passkey to sign. It works once, for five minutes: for a user who adds a passkey, or with null for
 * a sign-in.
 */
export async function issueChallenge(userId: string | null, writer: Tx | Database = db()): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(CHALLENGE_BYTES));
  const expiresAt = sql`now() + ${CHALLENGE_WORKS_FOR_MS} * interval '1 ms'`;
  await writer.insert(passkeyChallenges).values({ hash: hashOf(Buffer.from(challenge).toString("base64url")), userId, expiresAt });
  return challenge;
}

/** Uses a challenge up, once, whatever its signature is worth. Returns false if it is unknown, for another use, used or too old. */
export async function takeChallenge(challenge: string, userId: string | null): Promise<boolean> {
  const isFor = userId === null ? isNull(passkeyChallenges.userId) : eq(passkeyChallenges.userId, userId);
  const taken = await db()
    .delete(passkeyChallenges)
    .where(and(eq(passkeyChallenges.hash, hashOf(challenge)), isFor, gt(passkeyChallenges.expiresAt, sql`now()`)))
    .returning({ hash: passkeyChallenges.hash });
  return taken.length > 0;
}

/** Deletes the open challenges of a user who adds a passkey: each has to be begun anew. */
export async function dropChallenges(tx: Tx, userId: string): Promise<void> {
  await tx.delete(passkeyChallenges).where(eq(passkeyChallenges.userId, userId));
}
