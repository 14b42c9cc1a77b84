import type { Tx } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { invalid, type Problem } from "#lib/problem.ts";
import type { MemberContext } from "../../context.ts";
import type { ProofPurpose } from "../../proven.ts";
import { takeChallenge } from "../factors/passkey-challenges.ts";
import { type Answer, counterOf, countUse, findPasskey, namesUser } from "../factors/verify-passkey.ts";

/** A passkey's answer to a challenge of `beginPasskeyProof`. */
export interface PasskeyProof {
  challenge: string;
  response: Answer;
}

/**
 * Checks a proof by a passkey. Failures are not counted: a signature cannot be guessed. Returns a function that counts the passkey's use, in the
 * transaction of the change that needs the proof. It throws if the passkey was removed or used meanwhile. Throws VALIDATION_ERROR for a challenge that is
 * unknown, used, too old, or of another member, session or purpose, and for a wrong answer.
 */
export async function checkPasskeyProof(
  ctx: MemberContext,
  purpose: ProofPurpose,
  { challenge, response }: PasskeyProof,
): Promise<(tx: Tx) => Promise<void>> {
  // Deleted first, so that one challenge allows one attempt.
  const { id: userId } = ctx.actor;
  if (!(await takeChallenge(challenge, { proofBy: userId, sessionId: ctx.sessionId, purpose }))) {
    throw invalid("challenge", "This took too long, or was used already. Begin again.");
  }
  const known = await findPasskey(response.id);
  const isOwn = known?.user.id === userId && namesUser(response, userId, false);
  const counter = isOwn ? await counterOf(response, challenge, known.passkey) : undefined;
  if (!known || counter === undefined) throw wrongPasskey(ctx);
  return async (tx) => {
    if (!(await countUse(tx, known.passkey.id, counter))) throw wrongPasskey(ctx);
  };
}

function wrongPasskey({ actor, address, requestId }: MemberContext): Problem {
  log().info({ userId: actor.id, address, requestId }, "a repeated proof by a passkey was wrong");
  return invalid("response", "The passkey could not be confirmed. Begin again.");
}
