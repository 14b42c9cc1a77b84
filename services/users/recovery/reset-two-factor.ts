import { transaction } from "#db/client.ts";
import { requireReason } from "../../audit/index.ts";
import type { OperatorContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import { noteInAudits } from "../businesses-of.ts";
import { storeRemoval } from "../factors/factor-removals.ts";
import { hasSecondFactor } from "../factors/factors.ts";
import { findUserByEmail, lockUser } from "../rows.ts";

/**
 * Requests the removal of the authenticator app, recovery codes and passkeys of a person who has lost them. A link is mailed to the person 24 h
 * later, and only its owner's click removes them; a sign-in with one of them ends the request. Tells the person at once, and notes it in the audit
 * of each business of which the person is a member. Returns `unknown` for an email without a user, and `unchanged` for a user without a second
 * factor. Throws VALIDATION_ERROR for an empty reason.
 */
export const resetTwoFactor = verb(
  { actor: ["operator"] },
  async (ctx: OperatorContext, { email, reason }: { email: string; reason: string }): Promise<"asked" | "unchanged" | "unknown"> => {
    const why = requireReason(reason);
    const user = await findUserByEmail(email);
    if (!user) return "unknown";
    return transaction(async (tx) => {
      const locked = await lockUser(tx, user.id);
      if (!(await hasSecondFactor(user.id, tx))) return "unchanged";
      await storeRemoval(tx, ctx, locked, "operator");
      await noteInAudits(tx, ctx, { userId: user.id, action: "member.two_factor_reset", reason: why });
      return "asked";
    });
  },
);
