import { Problem } from "#lib/problem.ts";
import type { MemberContext } from "../context.ts";
import { changeWithProof } from "./prove-again.ts";
import { getUserRow } from "./rows.ts";
import { requireVerified } from "./second-factor-changed.ts";
import { storeNewSecret, type TotpSecret } from "./totp.ts";

/**
 * Makes a secret for a member's authenticator app. It asks for no codes until `confirmTotp`, and replaces an earlier one that was not confirmed.
 * Throws the errors of `changeWithProof`, PERMISSION_DENIED before the email is verified, and VALIDATION_ERROR while codes are on.
 */
export async function beginTotp(ctx: MemberContext, proof: { password: string }): Promise<TotpSecret> {
  requireVerified(await getUserRow(ctx.actor.id));
  const made = await changeWithProof(ctx, "never", proof, (tx, { id, email }) => storeNewSecret(tx, id, email));
  if (!made) throw new Problem("VALIDATION_ERROR", "Codes are on already. Turn them off before you set up another app.");
  return made;
}
