import { type Tx, transaction } from "#db/client.ts";
import type { Context } from "../../context.ts";
import { verb } from "../../verb.ts";
import { PasskeyResponse } from "../contract.ts";
import { takeChallenge } from "../factors/passkey-challenges.ts";
import { type Answer, counterOf, countUse, findPasskey, type Known, namesUser } from "../factors/verify-passkey.ts";
import { lockUser } from "../rows.ts";
import type { UserRow } from "../user.ts";
import { type Browser, completeSignIn, noteSignIn } from "./complete-sign-in.ts";
import type { SignedInByFactor } from "./sign-in-with-code.ts";
import { findTicketUser, takeTicket } from "./tickets.ts";

interface PasskeySignIn extends Browser {
  /** The challenge that `beginPasskeySignIn` returned. */
  challenge: string;
  /** The ticket of `signIn`, or null for a sign-in without a password. */
  ticket: string | null;
  /** The browser's answer, as it came. */
  response: unknown;
}

/**
 * Signs a person in by a passkey, after the password (`ticket`) or instead of it: the device has verified its user, which makes it two factors.
 * Failures are not counted, and failed passwords do not block it: a signature cannot be guessed, and strangers could lock out its owner.
 * Returns `expired` for a challenge or ticket that is unknown, used or too old, and `wrong` for anything else that does not fit.
 */
export const finishPasskeySignIn = verb(
  { actor: ["anyone"] },
  async (ctx: Context, { challenge, ticket, response, ...browser }: PasskeySignIn): Promise<SignedInByFactor> => {
    const answer = PasskeyResponse.safeParse(response).data;
    const known = answer && (await findPasskey(answer.id));
    const result = await prove(challenge, ticket, answer, known, (tx, { id }, user) =>
      completeSignIn(tx, ctx, user, browser, { passkeyId: id }),
    );
    if (result.status === "wrong") noteSignIn(ctx, known?.user, "sign-in failed", "passkey");
    return result;
  },
);

async function prove(
  challenge: string,
  ticket: string | null,
  answer: Answer | undefined,
  known: Known | undefined,
  complete: (tx: Tx, passkey: Known["passkey"], user: UserRow) => ReturnType<typeof completeSignIn>,
): Promise<SignedInByFactor> {
  // Deleted first, so that one challenge allows one attempt.
  if (!(await takeChallenge(challenge, "sign_in"))) return { status: "expired" };
  const owner = ticket === null ? known?.user : await findTicketUser(ticket);
  if (ticket !== null && !owner) return { status: "expired" };
  if (!answer || !known || owner?.id !== known.user.id || known.user.emailVerifiedAt === null) return { status: "wrong" };
  if (!namesUser(answer, known.user.id, ticket === null)) return { status: "wrong" };
  const counter = await counterOf(answer, challenge, known.passkey);
  if (counter === undefined) return { status: "wrong" };
  return transaction(async (tx) => {
    const user = await lockUser(tx, known.user.id);
    if (!(await countUse(tx, known.passkey.id, counter))) return { status: "wrong" };
    if (ticket !== null && !(await takeTicket(tx, ticket, user.id))) return { status: "expired" };
    return { ...(await complete(tx, known.passkey, user)), method: "passkey" };
  });
}
