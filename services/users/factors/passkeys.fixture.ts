import type { MemberContext } from "../../context.ts";
import { beginPasskeyRegistration, beginPasskeySignIn, finishPasskeyRegistration, finishPasskeySignIn } from "../index.ts";
import { aStranger, aVerifiedUser, PASSWORD } from "../users.fixture.ts";
import { Authenticator, type Flaws } from "./authenticator.fixture.ts";
import { aMemberContext, firstFactorProof } from "./two-factor.fixture.ts";

/** Adds a passkey of an authenticator to a member: the first second factor by a mailed code, a further one by a code of the app or a recovery code. */
export async function addPasskey(ctx: MemberContext, authenticator: Authenticator, flaws: Flaws = {}, code?: string) {
  const proof = code === undefined ? await firstFactorProof(ctx) : { password: PASSWORD, code };
  const options = await beginPasskeyRegistration(ctx, proof);
  return finishPasskeyRegistration(ctx, { name: "Phone", response: authenticator.register(options, flaws) });
}

/** Creates a person who is signed in and has a passkey, and no authenticator app. */
export async function aPersonWithPasskey(flaws: Flaws = {}) {
  const email = await aVerifiedUser();
  const ctx = await aMemberContext(email);
  const authenticator = new Authenticator();
  const { passkey, recoveryCodes } = await addPasskey(ctx, authenticator, flaws);
  return { email, ctx, authenticator, passkey, recoveryCodes: recoveryCodes ?? [] };
}

interface PasskeySignIn {
  ticket?: string | null;
  device?: string | null;
  flaws?: Flaws;
  ctx?: ReturnType<typeof aStranger>;
}

/** Signs in by an authenticator, by default without a password, from a new network and a browser that is not known. */
export async function signInBy(
  authenticator: Authenticator,
  { ticket = null, device = null, flaws = {}, ctx = aStranger() }: PasskeySignIn = {},
) {
  const { options, challenge } = await beginPasskeySignIn(ctx, { ticket });
  const response = authenticator.signIn(options, flaws);
  return finishPasskeySignIn(ctx, { challenge, ticket, response, device, session: null, userAgent: "Test browser" });
}
