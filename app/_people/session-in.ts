import { cookieIn } from "#lib/cookies.ts";
import { findSession, type Session } from "#services/sessions/index.ts";

/** Returns the open session of a Cookie header. */
export async function sessionIn(cookies: string): Promise<Session | undefined> {
  const token = cookieIn(cookies, "session");
  return token === undefined ? undefined : findSession(token);
}
