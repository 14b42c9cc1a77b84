import { log } from "#lib/log.ts";
import { checkPassword } from "#lib/passwords.ts";
import { invalid, Problem } from "#lib/problem.ts";
import type { MemberContext } from "../context.ts";
import { getUserRow } from "./rows.ts";
import { attempt } from "./tries.ts";

/**
 * Asks a member for the password again, before something that a borrowed browser must not do. Failures count as those of a
 * known device: strangers who guess elsewhere do not make a signed-in person wait.
 * Throws VALIDATION_ERROR for a wrong password, and RATE_LIMITED after too many.
 */
export async function requirePassword({ actor, sessionId, address, requestId }: MemberContext, password: string): Promise<void> {
  const user = await getUserRow(actor.id);
  const tried = await attempt({ email: user.email, address: address ?? "", device: sessionId });
  if (tried.status === "blocked") {
    throw new Problem("RATE_LIMITED", `There were too many wrong passwords. Wait ${tried.waitSeconds} s, then try again.`, {
      headers: { "Retry-After": String(tried.waitSeconds) },
    });
  }
  if ((await checkPassword(password, user.passwordHash)) === "wrong") {
    log().info({ userId: actor.id, address, requestId }, "a repeated password was wrong");
    throw invalid("password", "This is not your password.");
  }
  await tried.succeed();
}
