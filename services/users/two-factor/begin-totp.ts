import { Problem } from "#lib/problem.ts";
import type { MemberContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import type { GivenProof } from "../contract.ts";
import { requireVerified } from "../factors/second-factor-changed.ts";
import { storeNewSecret, type TotpSecret } from "../factors/totp.ts";
import { changeWithAnyProof } from "../proof/prove-again.ts";
import { getUserRow } from "../rows.ts";

/**
 * Makes a secret for a member's authenticator app. It asks for no codes until `confirmTotp`, and replaces an earlier one that was not confirmed.
 * The first second factor needs a mailed code (`mailFirstFactorCode`), any further one a proof by an existing factor. Throws the errors of
 * `changeWithAnyProof`, PERMISSION_DENIED before the email is verified, and VALIDATION_ERROR while codes are on.
 */
export const beginTotp = verb({ permission: "self" }, async (ctx: MemberContext, proof: GivenProof): Promise<TotpSecret> => {
  requireVerified(await getUserRow(ctx.actor.id));
  const made = await changeWithAnyProof(ctx, "add_app", "to_add", proof, (tx, { id, email }, provedBy) =>
    storeNewSecret(tx, { userId: id, email, sessionId: ctx.sessionId }, provedBy),
  );
  if (!made) throw new Problem("VALIDATION_ERROR", "Codes are on already. Turn them off before you set up another app.");
  return made;
});
