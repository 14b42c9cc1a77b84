import { type Tx, transaction } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { invalid, Problem } from "#lib/problem.ts";
import type { MemberContext } from "../context.ts";
import { comparePassword } from "./compare-password.ts";
import { acceptCode } from "./factors.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { getUserRow, lockUser } from "./rows.ts";
import { type AllowedTry, attempt } from "./tries.ts";
import type { UserRow } from "./user.ts";

interface Begun {
  user: UserRow;
  tried: AllowedTry;
}

/**
 * Runs `prove` for a signed-in member who proves again who they are, with a try that is counted. Failures count as those of a known device:
 * strangers who guess elsewhere do not make a signed-in person wait. A process looks at one proof of a person at a time, so that a right one
 * ends its own try before the next counts. Throws RATE_LIMITED after too many failures or when too many wait.
 */
export const proveAgain = <T>(ctx: MemberContext, prove: (begun: Begun) => Promise<T>): Promise<T> =>
  oneAtATime(ctx.actor.id, async () => prove(await tryAgain(ctx)));

async function tryAgain({ actor, sessionId, address, requestId }: MemberContext): Promise<Begun> {
  const user = await getUserRow(actor.id);
  const tried = await attempt({ email: user.email, address, device: sessionId });
  if (tried.status === "allowed") return { user, tried };
  log().info({ userId: user.id, address, requestId }, "a repeated proof was refused: too many failures");
  throw new Problem("RATE_LIMITED", `There were too many wrong passwords or codes. Wait ${tried.waitSeconds} s, then try again.`, {
    headers: { "Retry-After": String(tried.waitSeconds) },
  });
}

/** Throws VALIDATION_ERROR if a repeated password is not the user's, and RATE_LIMITED when too many wait. */
export async function requireRight(ctx: MemberContext, { user, tried }: Begun, password: string): Promise<void> {
  const { passwordHash } = user;
  const check = await comparePassword(tried, { password, passwordHash, asker: "known" });
  // A reset may have changed the password while this one was hashed.
  if (check === "wrong" || (await getUserRow(user.id)).passwordHash !== passwordHash) throw wrongPassword(ctx);
}

function wrongPassword({ actor, address, requestId }: MemberContext): Problem {
  log().info({ userId: actor.id, address, requestId }, "a repeated password was wrong");
  return invalid("password", "This is not your password.");
}

const WAIT_FOR_NEXT = "This code is wrong, or was used already. Wait for the next one of your app, or type a recovery code.";

/** Logs a wrong code. Returns a VALIDATION_ERROR about it. */
export function wrongCode({ actor, address, requestId }: MemberContext, message = WAIT_FOR_NEXT): Problem {
  log().info({ userId: actor.id, address, requestId }, "a code was wrong");
  return invalid("code", message);
}

/**
 * Changes something of a member who repeats the password and types a code. The code is used up in the transaction of the change, which holds
 * the user's lock. Throws VALIDATION_ERROR for a wrong password or code, and RATE_LIMITED after too many or when too many wait.
 */
export const changeWithCode = <T>(
  ctx: MemberContext,
  { password, code }: { password: string; code: string },
  change: (tx: Tx, user: UserRow) => Promise<T>,
): Promise<T> =>
  proveAgain(ctx, async (begun) => {
    const { user, tried } = begun;
    await requireRight(ctx, begun, password);
    const done = await transaction(async (tx) => {
      const locked = await lockUser(tx, user.id);
      if (locked.passwordHash !== user.passwordHash) throw wrongPassword(ctx);
      return (await acceptCode(tx, user.id, code)) && { result: await change(tx, locked) };
    });
    if (!done) throw wrongCode(ctx);
    await tried.succeed();
    return done.result;
  });
