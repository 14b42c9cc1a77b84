import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from "@simplewebauthn/server";
import { and, eq, lt, sql } from "drizzle-orm";
import type { z } from "zod";
import { db, type Tx, transaction } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import { passkeys } from "#db/schema/two-factor.ts";
import type { Context } from "../context.ts";
import { type Browser, completeSignIn, noteSignIn } from "./complete-sign-in.ts";
import { PasskeyResponse } from "./contract.ts";
import { knownDevice } from "./devices.ts";
import type { PasskeyRow } from "./passkey.ts";
import { takeChallenge } from "./passkey-challenges.ts";
import { challengeOf, handleOf, relyingParty } from "./relying-party.ts";
import { lockUser } from "./rows.ts";
import type { SignedInByFactor } from "./sign-in-with-code.ts";
import { findTicketUser, takeTicket } from "./tickets.ts";
import { attempt } from "./tries.ts";
import type { UserRow } from "./user.ts";

interface PasskeySignIn extends Browser {
  /** The challenge that `beginPasskeySignIn` returned. */
  challenge: string;
  /** The ticket of `signIn`, or null for a sign-in without a password. */
  ticket: string | null;
  /** The browser's answer, as it came. */
  response: unknown;
}

interface Known {
  passkey: PasskeyRow;
  user: UserRow;
}
type Answer = z.output<typeof PasskeyResponse>;

/**
 * Signs a person in by a passkey, after the password (`ticket`) or instead of it: the device has verified its user, which makes it two factors.
 * Failures count by network, and by account once the passkey is known. Returns `expired` for a challenge or ticket that is unknown, used or too
 * old, and `wrong` for anything else that does not fit.
 */
export async function finishPasskeySignIn(
  ctx: Context,
  { challenge, ticket, response, ...browser }: PasskeySignIn,
): Promise<SignedInByFactor> {
  const answer = PasskeyResponse.safeParse(response).data;
  const known = answer && (await findPasskey(answer.id));
  const device = known ? await knownDevice(known.user.id, browser.device) : null;
  const tried = await attempt({ email: known?.user.email ?? null, address: ctx.address, device });
  if (tried.status === "blocked") {
    noteSignIn(ctx, known?.user, "sign-in refused: too many failures", "passkey");
    return { status: "wait", waitSeconds: tried.waitSeconds };
  }
  const result = await prove(challenge, ticket, answer, known, (tx, user) => completeSignIn(tx, ctx, user, browser, "passkey"));
  if (result.status === "signed_in") await tried.succeed();
  if (result.status === "wrong") noteSignIn(ctx, known?.user, "sign-in failed", "passkey");
  if (result.status === "expired") await tried.giveBack();
  return result;
}

async function prove(
  challenge: string,
  ticket: string | null,
  answer: Answer | undefined,
  known: Known | undefined,
  complete: (tx: Tx, user: UserRow) => ReturnType<typeof completeSignIn>,
): Promise<SignedInByFactor> {
  // Used up first, so that one challenge allows one try.
  if (!(await takeChallenge(challenge, null))) return { status: "expired" };
  const owner = ticket === null ? known?.user : await findTicketUser(ticket);
  if (ticket !== null && !owner) return { status: "expired" };
  if (!answer || !known || owner?.id !== known.user.id || known.user.emailVerifiedAt === null) return { status: "wrong" };
  if (!namesUser(answer, known.user.id, ticket === null)) return { status: "wrong" };
  const counter = await verify(answer, challenge, known.passkey);
  if (counter === undefined) return { status: "wrong" };
  return transaction(async (tx) => {
    const user = await lockUser(tx, known.user.id);
    if (!(await countUse(tx, known.passkey.id, counter))) return { status: "wrong" };
    if (ticket !== null && !(await takeTicket(tx, ticket, user.id))) return { status: "expired" };
    return { ...(await complete(tx, user)), method: "passkey" };
  });
}

async function findPasskey(credentialId: string): Promise<Known | undefined> {
  const [row] = await db()
    .select({ passkey: passkeys, user: users })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.credentialId, credentialId));
  return row;
}

/** Returns whether an answer names the user of its passkey. Only after a password it may name none, because the ticket does. */
function namesUser({ response: { userHandle } }: Answer, userId: string, mustName: boolean): boolean {
  return userHandle === undefined ? !mustName : userHandle === Buffer.from(handleOf(userId)).toString("base64url");
}

/** Returns the counter of an answer whose signature, challenge, origin, host and user verification are right, otherwise undefined. */
async function verify({ response, ...answer }: Answer, expectedChallenge: string, passkey: PasskeyRow): Promise<number | undefined> {
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

/** Notes the use of a passkey. Returns false if the passkey was removed meanwhile, or was used meanwhile with a counter as high. */
async function countUse(tx: Tx, id: string, counter: number): Promise<boolean> {
  const isLater = counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter);
  const used = await tx
    .update(passkeys)
    .set({ counter, lastUsedAt: sql`now()` })
    .where(and(eq(passkeys.id, id), isLater))
    .returning({ id: passkeys.id });
  return used.length > 0;
}
