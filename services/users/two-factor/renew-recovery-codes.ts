import type { MemberContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import { renewCodes } from "../factors/recovery-codes.ts";
import { noteChange } from "../factors/second-factor-changed.ts";
import { changeWithProof } from "../proof/prove-again.ts";

/**
 * Returns ten new recovery codes, which are shown once; all earlier ones stop working. `code` is one of the authenticator app or a recovery
 * code. Throws VALIDATION_ERROR for a wrong password or code, and RATE_LIMITED after too many.
 */
export const renewRecoveryCodes = verb(
  { permission: "self" },
  async (ctx: MemberContext, proof: { password: string; code: string }): Promise<string[]> => {
    return changeWithProof(ctx, "always", proof, async (tx, user) => {
      await noteChange(tx, ctx, user, "recovery_codes_renewed");
      return renewCodes(tx, user.id);
    });
  },
);
