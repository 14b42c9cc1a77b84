import type { Tx } from "#db/client.ts";
import { log } from "#lib/log.ts";
import type { Context } from "../../context.ts";
import { beginSession, endSessionOfCookie } from "../../sessions/index.ts";
import { rememberDevice } from "../factors/devices.ts";
import { endRemovalBySignIn } from "../factors/factor-removals.ts";
import { noteUse, type SignInProof } from "../factors/factor-use.ts";
import { mailNewDevice } from "../links.ts";
import type { UserRow } from "../user.ts";

/** The browser that signs in. */
export interface Browser {
  /** The token of the device's cookie, if the browser has one. */
  device: string | null;
  /** The text of the session's cookie, if the browser has one: that session ends, because the cookie is replaced. */
  session: string | null;
  userAgent: string | null;
}

export interface Entered {
  status: "signed_in";
  /** The text of the session's cookie. */
  token: string;
  /** The token for the device's cookie. */
  device: string;
  userId: string;
}

/**
 * Begins a session for a user who has given every proof, in place of the one that the browser had. If the user has signed in before and not with
 * this browser, a mail tells them. A sign-in with a second factor ends a request to remove the factors. The caller holds the user's lock (`lockUser`), so that a change of password or second factor comes before or after, and never between.
 */
export async function completeSignIn(
  tx: Tx,
  ctx: Context,
  user: UserRow,
  { device, session, userAgent }: Browser,
  proof: SignInProof,
): Promise<Entered> {
  await noteUse(tx, user.id, proof, device);
  if (proof !== "password") await endRemovalBySignIn(tx, ctx, user);
  const { token } = await beginSession(tx, ctx, user.id, userAgent);
  if (session !== null) await endSessionOfCookie(tx, ctx, session);
  const remembered = await rememberDevice(tx, user.id, device);
  if (remembered.isAnother) await mailNewDevice(tx, ctx, user, userAgent);
  noteSignIn(ctx, user, "signed in", typeof proof === "string" ? proof : "passkey");
  return { status: "signed_in", token, device: remembered.token, userId: user.id };
}

/** Logs a sign-in or a failure, with the user's id and never with an email, a password or a code. */
export function noteSignIn({ address, requestId }: Context, user: UserRow | undefined, message: string, method = "password"): void {
  log().info({ userId: user?.id, address, requestId, method }, message);
}
