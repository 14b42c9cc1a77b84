import { Problem } from "#lib/problem.ts";
import type { MemberContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import { dropUnusableCodes } from "../factors/factors.ts";
import { noteChange } from "../factors/second-factor-changed.ts";
import { deleteSecret } from "../factors/totp.ts";
import { changeWithProof } from "../proof/prove-again.ts";

/**
 * Turns codes of an authenticator app off. Passkeys stay, and recovery codes stay while there is a passkey. `code` is one of the app or a
 * recovery code. Throws VALIDATION_ERROR for a wrong password or code, and RATE_LIMITED after too many.
 */
export const turnOffTwoFactor = verb(
  { permission: "self" },
  async (ctx: MemberContext, proof: { password: string; code: string }): Promise<void> => {
    await changeWithProof(ctx, "always", proof, async (tx, user) => {
      // A person with passkeys only may type a valid recovery code, but there is no app to turn off. The rollback keeps the code usable.
      if (!(await deleteSecret(tx, user.id))) throw new Problem("VALIDATION_ERROR", "No authenticator app is set up.");
      await dropUnusableCodes(tx, user.id);
      await noteChange(tx, ctx, user, "totp_off");
    });
  },
);
