import { type Tx, transaction } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { MAX_WAITING, oneAtATime } from "#lib/one-at-a-time.ts";
import { invalid, Problem } from "#lib/problem.ts";
import type { MemberContext } from "../../context.ts";
import type { ProofPurpose } from "../../proven.ts";
import type { GivenProof } from "../contract.ts";
import type { FactorProof } from "../factors/factor-proof.ts";
import { endRemovalBySignIn } from "../factors/factor-removals.ts";
import { acceptCode, type Factors, readFactors } from "../factors/factors.ts";
import { getUserRow } from "../rows.ts";
import type { UserRow } from "../user.ts";
import { comparePassword } from "./compare-password.ts";
import { proofIn } from "./given-proof.ts";
import { countMailedTry, takeMailedCode } from "./mailed-codes.ts";
import { lockSelf } from "./open-proofs.ts";
import { checkPasskeyProof } from "./prove-by-passkey.ts";
import { type AllowedAttempt, attempt } from "./tries.ts";

interface Begun {
  user: UserRow;
  tried: AllowedAttempt;
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

/**
 * When a code is due beside the password. `with_app`: while an authenticator app is on. `with_factor`: while there is any second factor, so that
 * a recovery code can replace a passkey. `to_add`: as `with_factor`, but for the first factor a mailed code.
 */
type CodeDue = "never" | "with_app" | "with_factor" | "to_add" | "always";

/** The code that is needed: of the app or a recovery code, or the mailed one. Undefined for none. */
function codeNow(due: CodeDue, { isTotpOn, hasPasskeys }: Factors): FactorProof | undefined {
  if (due === "always" || isTotpOn) return due === "never" ? undefined : "factor";
  if (hasPasskeys) return due === "with_factor" || due === "to_add" ? "factor" : undefined;
  return due === "to_add" ? "mailed_code" : undefined;
}

/**
 * Makes a change for a member who repeats the password, and types a code if one is needed. The code is used up in the transaction of the
 * change, which holds the user's lock. A password without a code clears no failures of a member who has a second factor, so that it gives no
 * new tries at codes. `prepare` runs after the password was right and before the transaction: work that must hold no lock. Throws
 * VALIDATION_ERROR for a wrong password or code, and RATE_LIMITED after too many or when too many wait.
 */
export const changeWithProof = <T>(
  ctx: MemberContext,
  codeDue: CodeDue,
  { password, code }: { password: string; code?: string | undefined },
  change: (tx: Tx, user: UserRow, provedBy: FactorProof) => Promise<T>,
  prepare?: (user: UserRow) => Promise<void>,
): Promise<T> =>
  proveAgain(ctx, async (begun) => {
    await requireRight(ctx, begun, password);
    await prepare?.(begun.user);
    if (codeDue === "to_add") await countMailedTry(ctx);
    const { result, isWhole } = await transaction(async (tx) => {
      const user = await lockSelf(tx, ctx);
      if (user.passwordHash !== begun.user.passwordHash) throw wrongPassword(ctx);
      const factors = await readFactors(user.id, tx);
      const due = codeNow(codeDue, factors);
      if (due) await spendCode(tx, ctx, due, code);
      if (due === "factor") await endRemovalBySignIn(tx, ctx, user);
      const isWhole = due !== undefined || !(factors.isTotpOn || factors.hasPasskeys);
      return { result: await change(tx, user, due ?? "factor"), isWhole };
    });
    await (isWhole ? begun.tried.succeed() : begun.tried.uncount());
    return result;
  });

async function spendCode(tx: Tx, ctx: MemberContext, due: FactorProof, code: string | undefined): Promise<void> {
  if (due === "mailed_code") {
    if (code === undefined) throw invalid("code", "Ask for a code by mail, and type it here.");
    if (!(await takeMailedCode(tx, ctx, code))) throw wrongCode(ctx, "This code is wrong, or older than 15 minutes. Ask for another one.");
    return;
  }
  if (code === undefined) throw wrongCode(ctx, "Type the code that your app shows, or a recovery code.");
  if (!(await acceptCode(tx, ctx.actor.id, code))) throw wrongCode(ctx);
}

/**
 * As `changeWithProof`, or by a passkey where no authenticator app is on: the device has verified its user, so that the passkey is a whole proof.
 * Throws VALIDATION_ERROR for a passkey while an app is on.
 */
export async function changeWithAnyProof<T>(
  ctx: MemberContext,
  purpose: ProofPurpose,
  codeDue: "with_factor" | "to_add",
  given: GivenProof,
  change: (tx: Tx, user: UserRow, provedBy: FactorProof) => Promise<T>,
): Promise<T> {
  const proof = proofIn(given);
  if ("password" in proof) return changeWithProof(ctx, codeDue, proof, change);
  const use = await checkPasskeyProof(ctx, purpose, proof);
  return transaction(async (tx) => {
    const user = await lockSelf(tx, ctx);
    const { isTotpOn } = await readFactors(user.id, tx);
    if (isTotpOn) throw invalid("password", "While your authenticator app is on, type your password and a code of it.");
    await use(tx);
    await endRemovalBySignIn(tx, ctx, user);
    return change(tx, user, "factor");
  });
}
