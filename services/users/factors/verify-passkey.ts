import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from "@simplewebauthn/server";
import { and, eq, lt, sql } from "drizzle-orm";
import type { z } from "zod";
import { db, type Tx } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import { passkeys } from "#db/schema/two-factor.ts";
import type { PasskeyResponse } from "../contract.ts";
import type { UserRow } from "../user.ts";
import type { PasskeyRow } from "./passkey.ts";
import { challengeOf, handleOf, relyingParty } from "./relying-party.ts";

/** A passkey with its owner. */
export interface Known {
  passkey: PasskeyRow;
  user: UserRow;
}

/** A browser's answer to a challenge. */
export type Answer = z.output<typeof PasskeyResponse>;

/** Returns the passkey with this credential id. */
export async function findPasskey(credentialId: string): Promise<Known | undefined> {
  const [row] = await db()
    .select({ passkey: passkeys, user: users })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.credentialId, credentialId));
  return row;
}

/** Returns whether an answer names the user of its passkey. After a password it may name no user, because the ticket names one. */
export function namesUser({ response: { userHandle } }: Answer, userId: string, mustName: boolean): boolean {
  return userHandle === undefined ? !mustName : userHandle === Buffer.from(handleOf(userId)).toString("base64url");
}

/** Returns the counter of an answer whose signature, challenge, origin, host and user verification are right, otherwise undefined. */
export async function counterOf(
  { response, ...answer }: Answer,
  expectedChallenge: string,
  passkey: PasskeyRow,
): Promise<number | undefined> {
  const { rpID, origin } = relyingParty();
  const { credentialId, counter } = passkey;
  const { userHandle, ...signed } = response;
  const given: AuthenticationResponseJSON = { ...answer, clientExtensionResults: {}, response: signed };
  if (challengeOf(signed.clientDataJSON) !== expectedChallenge) return undefined;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...{ response: given, expectedChallenge, expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true },
      credential: { id: credentialId, publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")), counter },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    // The library throws for each flaw, also for a counter that is not higher than before: a sign of a copied key.
    return undefined;
  }
}

/** Stores the use of a passkey. Returns false if it was removed in the meantime, or was used with a counter at least as high. */
export async function countUse(tx: Tx, id: string, counter: number): Promise<boolean> {
  const isLater = counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter);
  const used = await tx
    .update(passkeys)
    .set({ counter, lastUsedAt: sql`now()` })
    .where(and(eq(passkeys.id, id), isLater))
    .returning({ id: passkeys.id });
  return used.length > 0;
}
