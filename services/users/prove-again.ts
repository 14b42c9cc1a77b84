import { type Tx, transaction } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { MAX_WAITING, oneAtATime } from "#lib/one-at-a-time.ts";
import { invalid, Problem } from "#lib/problem.ts";
import type { MemberContext } from "../context.ts";
import { comparePassword } from "./compare-password.ts";
import type { GivenProof } from "./contract.ts";
import { acceptCode, readFactors } from "./factors.ts";
import { proofIn } from "./given-proof.ts";
import type { ProofPurpose } from "./passkey-challenges.ts";
import { checkPasskeyProof } from "./prove-by-passkey.ts";
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
  oneAtATime(`proofs/${ctx.actor.id}`, async () => prove(await tryAgain(ctx)), MAX_WAITING);

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

/** When a code is due beside the password. `with_app`: while an authenticator app is on. */
type CodeDue = "never" | "with_app" | "always";

/**
 * Changes something of a member who repeats the password, and types a code where one is due. The code is used up in the transaction of the
 * change, which holds the user's lock. A password without a code clears no failures of a member who has a second factor, so that it gives no
 * new tries at codes. `prepare` runs after the password was right and before the transaction: work that must hold no lock. Throws
 * VALIDATION_ERROR for a wrong password or code, and RATE_LIMITED after too many or when too many wait.
 */
export const changeWithProof = <T>(
  ctx: MemberContext,
  codeDue: CodeDue,
  { password, code }: { password: string; code?: string | undefined },
  change: (tx: Tx, user: UserRow) => Promise<T>,
  prepare?: (user: UserRow) => Promise<void>,
): Promise<T> =>
  proveAgain(ctx, async (begun) => {
    await requireRight(ctx, begun, password);
    await prepare?.(begun.user);
    const { result, isWhole } = await transaction(async (tx) => {
      const user = await lockUser(tx, begun.user.id);
      if (user.passwordHash !== begun.user.passwordHash) throw wrongPassword(ctx);
      const { isTotpOn, hasPasskeys } = await readFactors(user.id, tx);
      const isCodeDue = codeDue === "always" || (codeDue === "with_app" && isTotpOn);
      if (isCodeDue) await spendCode(tx, ctx, code);
      return { result: await change(tx, user), isWhole: isCodeDue || !(isTotpOn || hasPasskeys) };
    });
    await (isWhole ? begun.tried.succeed() : begun.tried.giveBack());
    return result;
  });

async function spendCode(tx: Tx, ctx: MemberContext, code: string | undefined): Promise<void> {
  if (code === undefined) throw wrongCode(ctx, "Type the code that your app shows, or a recovery code.");
  if (!(await acceptCode(tx, ctx.actor.id, code))) throw wrongCode(ctx);
}

/**
 * As `changeWithProof` with an authenticator app's code where one is on, or by a passkey where none is: the device has verified its user, so that
 * the passkey is a whole proof. Throws VALIDATION_ERROR for a passkey while an app is on.
 */
export function changeWithAnyProof<T>(
  ctx: MemberContext,
  purpose: ProofPurpose,
  given: GivenProof,
  change: (tx: Tx, user: UserRow) => Promise<T>,
): Promise<T> {
  const proof = proofIn(given);
  if ("password" in proof) return changeWithProof(ctx, "with_app", proof, change);
  return proveAgain(ctx, async (begun) => {
    const use = await checkPasskeyProof(ctx, begun, purpose, proof);
    const result = await transaction(async (tx) => {
      const user = await lockUser(tx, begun.user.id);
      const { isTotpOn } = await readFactors(user.id, tx);
      if (isTotpOn) throw invalid("password", "While your authenticator app is on, type your password and a code of it.");
      await use(tx);
      return change(tx, user);
    });
    await begun.tried.succeed();
    return result;
  });
}
