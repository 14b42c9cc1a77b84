import { transaction } from "#db/client.ts";
import type { Context } from "../../context.ts";
import { verb } from "../../verb.ts";
import { knownDevice } from "../factors/devices.ts";
import { acceptCode, isGuessable } from "../factors/factors.ts";
import { countCodes } from "../factors/recovery-codes.ts";
import { attempt, type Wait } from "../proof/tries.ts";
import { lockUser } from "../rows.ts";
import type { UserRow } from "../user.ts";
import { type Browser, completeSignIn, type Entered, noteSignIn } from "./complete-sign-in.ts";
import { findTicketUser, takeTicket } from "./tickets.ts";

interface CodeSignIn extends Browser {
  /** The ticket that `signIn` returned. */
  ticket: string;
  /** What the person typed: six digits of an authenticator app, or a recovery code. */
  code: string;
}

/** `expired`: the ticket is unknown, used or too old, and the password is due again. */
export type SignedInByFactor =
  | (Entered & { method: "code" | "recovery_code" | "passkey"; recoveryCodesLeft?: number })
  | { status: "wrong" }
  | { status: "expired" };

/**
 * Signs a person in by a code, after the password (`ticket`). A wrong code of an app counts like a wrong password, and leaves the ticket usable.
 * A recovery code has 80 random bits: none is counted, and no failure of strangers refuses one. Of several at once with one code, one works.
 */
export const signInWithCode = verb({ actor: ["anyone"] }, async (ctx: Context, signIn: CodeSignIn): Promise<SignedInByFactor | Wait> => {
  const user = await findTicketUser(signIn.ticket);
  if (!user) return { status: "expired" };
  if (!isGuessable(signIn.code)) return acceptTyped(ctx, user, signIn);
  const tried = await attempt({ email: user.email, address: ctx.address, device: await knownDevice(user.id, signIn.device) });
  if (tried.status === "blocked") {
    noteSignIn(ctx, user, "sign-in refused: too many failures", "code");
    return { status: "wait", waitSeconds: tried.waitSeconds };
  }
  const result = await acceptTyped(ctx, user, signIn);
  if (result.status === "signed_in") await tried.succeed();
  if (result.status === "expired") await tried.uncount();
  return result;
});

async function acceptTyped(ctx: Context, user: UserRow, { ticket, code, ...browser }: CodeSignIn): Promise<SignedInByFactor> {
  const result = await transaction(async (tx): Promise<SignedInByFactor> => {
    const locked = await lockUser(tx, user.id);
    // Checked before the code, so that no code is used up with a used ticket.
    if (!(await findTicketUser(ticket, tx))) return { status: "expired" };
    const method = await acceptCode(tx, user.id, code);
    if (!method) return { status: "wrong" };
    await takeTicket(tx, ticket, user.id);
    const entered = await completeSignIn(tx, ctx, locked, browser, method);
    return { ...entered, method, ...(method === "recovery_code" && { recoveryCodesLeft: await countCodes(user.id, tx) }) };
  });
  if (result.status === "wrong") noteSignIn(ctx, user, "sign-in failed", "code");
  return result;
}
