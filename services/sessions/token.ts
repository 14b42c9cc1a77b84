import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { keyFor } from "#lib/secrets.ts";
import { MAX_AGE_MS } from "./limits.ts";

/** Returns the key of session cookies, as next-auth takes it. */
export const tokenSecret = (): string => keyFor("session-token").export().toString("base64");

/** Returns the cookie's text for a session: encrypted, so that only this server can make or read one. */
export const tokenOf = (sessionId: string): Promise<string> =>
  encode({ token: { sid: sessionId }, secret: tokenSecret(), maxAge: MAX_AGE_MS / 1000 });

/** A token of ours has a few hundred characters. */
const MAX_TOKEN_CHARACTERS = 1_000;

/**
 * Returns whether a token's header names our encryption. The library would also derive keys from passwords, with a cost that the
 * token names: a stranger's cookie could take milliseconds of every request.
 */
function isOfOurKind(token: string): boolean {
  if (token.length > MAX_TOKEN_CHARACTERS) return false;
  const header: unknown = JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString());
  return Header.safeParse(header).success;
}

const Header = z.strictObject({ alg: z.literal("dir"), enc: z.literal("A256GCM") });

/** Returns the id of the session that a cookie names, or undefined if this server did not make the cookie or it is too old. */
export async function sessionIdOf(token: string): Promise<string | undefined> {
  try {
    if (!isOfOurKind(token)) return undefined;
    const content = await decode({ token, secret: tokenSecret() });
    return typeof content?.sid === "string" ? content.sid : undefined;
  } catch {
    // A stranger may send any text. It names no session.
    return undefined;
  }
}
