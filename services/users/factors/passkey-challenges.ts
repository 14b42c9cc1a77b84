import { randomBytes } from "node:crypto";
import { and, type Column, eq, gt, isNull, sql } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { passkeyChallenges } from "#db/schema/two-factor.ts";
import { keyedHash } from "#lib/secrets.ts";
import { MINUTE_MS } from "#lib/time.ts";
import type { ProofPurpose } from "../../proven.ts";
import type { FactorProof } from "./factor-proof.ts";

/** The use of a challenge: a sign-in, a new passkey of a user, or a proof by a signed-in user. */
export type ChallengeUse = "sign_in" | { newPasskeyOf: string } | { proofBy: string; sessionId: string; purpose: ProofPurpose };

function columnsOf(use: ChallengeUse): { userId: string | null; purpose: ProofPurpose | null; sessionId: string | null } {
  if (use === "sign_in") return { userId: null, purpose: null, sessionId: null };
  if ("newPasskeyOf" in use) return { userId: use.newPasskeyOf, purpose: null, sessionId: null };
  return { userId: use.proofBy, purpose: use.purpose, sessionId: use.sessionId };
}

const CHALLENGE_BYTES = 32;
export const CHALLENGE_WORKS_FOR_MS = 5 * MINUTE_MS;
const hashOf = (challenge: string) => keyedHash("passkey-challenge", challenge);

/** Returns a challenge of 256 random bits for a passkey to sign. It works once, for five minutes, and for this use alone. */
export async function issueChallenge(
  use: ChallengeUse,
  writer: Tx | Database = db(),
  provedBy: FactorProof | null = null,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(CHALLENGE_BYTES));
  const expiresAt = sql`now() + ${CHALLENGE_WORKS_FOR_MS} * interval '1 ms'`;
  await writer
    .insert(passkeyChallenges)
    .values({ hash: hashOf(Buffer.from(challenge).toString("base64url")), ...columnsOf(use), provedBy, expiresAt });
  return challenge;
}

/**
 * Uses up a challenge, before its signature is checked. Returns the proof with which a new passkey was begun, or null for other uses.
 * Returns undefined if the challenge is unknown, for another use, used or too old.
 */
export async function takeChallenge(challenge: string, use: ChallengeUse): Promise<{ provedBy: FactorProof | null } | undefined> {
  const { userId, purpose, sessionId } = columnsOf(use);
  const is = (column: Column, value: string | null) => (value === null ? isNull(column) : eq(column, value));
  const isForUse = and(
    is(passkeyChallenges.userId, userId),
    is(passkeyChallenges.purpose, purpose),
    is(passkeyChallenges.sessionId, sessionId),
  );
  const [taken] = await db()
    .delete(passkeyChallenges)
    .where(and(eq(passkeyChallenges.hash, hashOf(challenge)), isForUse, gt(passkeyChallenges.expiresAt, sql`now()`)))
    .returning({ provedBy: passkeyChallenges.provedBy });
  return taken;
}

/** Deletes the open challenges of a user who adds a passkey or proves who it is: each such step must start again. */
export async function dropChallenges(tx: Tx, userId: string): Promise<void> {
  await tx.delete(passkeyChallenges).where(eq(passkeyChallenges.userId, userId));
}
