import { decode, encode } from "next-auth/jwt";
import { keyFor } from "#lib/secrets.ts";
import { MAX_AGE_MS } from "./limits.ts";

/** Returns the key of session cookies, as next-auth takes it. */
export const tokenSecret = (): string => keyFor("session-token").toString("base64");

/** Returns the cookie's text for a session: encrypted, so that only this server can make or read one. */
export const tokenOf = (sessionId: string): Promise<string> =>
  encode({ token: { sid: sessionId }, secret: tokenSecret(), maxAge: MAX_AGE_MS / 1000 });

/** Returns the id of the session that a cookie names, or undefined if this server did not make the cookie or it is too old. */
export async function sessionIdOf(token: string): Promise<string | undefined> {
  try {
    const content = await decode({ token, secret: tokenSecret() });
    return typeof content?.sid === "string" ? content.sid : undefined;
  } catch {
    // A stranger may send any text. It names no session.
    return undefined;
  }
}
