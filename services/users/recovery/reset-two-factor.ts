import { eq } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { members } from "#db/schema/tenants.ts";
import { invalid } from "#lib/problem.ts";
import { inItsTransaction, type MaybeApproved } from "../../approval.ts";
import { requireReason } from "../../audit/index.ts";
import { isDecider, PLATFORM_BUSINESS } from "../../platform.ts";
import { verb } from "../../verb.ts";
import { noteInAudits } from "../businesses-of.ts";
import { storeRemoval } from "../factors/factor-removals.ts";
import { hasSecondFactor } from "../factors/factors.ts";
import { findUserByEmail, lockUser } from "../rows.ts";

/**
 * Requests the removal of the authenticator app, recovery codes and passkeys of a person who has lost them. A link is mailed to the person 24 h
 * later, and only its owner's click removes them; a sign-in with one of them ends the request. Tells the person at once, and notes it in the audit
 * of each business of which the person is a member. Returns `unknown` for an email without a user, and `unchanged` for a user without a second
 * factor. Throws VALIDATION_ERROR for an empty reason, and for an operator unless two others decide it, if there are two
 * others who decide.
 */
export const resetTwoFactor = verb(
  { actor: ["operator"] },
  async (ctx: MaybeApproved, { email, reason }: { email: string; reason: string }): Promise<"asked" | "unchanged" | "unknown"> => {
    const why = requireReason(reason);
    return inItsTransaction(ctx, async (tx) => {
      const user = await findUserByEmail(email, tx);
      if (!user) return "unknown";
      const locked = await lockUser(tx, user.id);
      if (!ctx.approval && (await countOtherDeciders(tx, user.id)) >= 2)
        throw invalid("email", "This person is an operator, so two others decide it: say who you are, with --as and --code.");
      if (ctx.approval && [ctx.actor.id, ctx.approval.proposedBy].includes(user.id))
        throw invalid("email", "Two others decide about this person.");
      if (!(await hasSecondFactor(user.id, tx))) return "unchanged";
      await storeRemoval(tx, ctx, locked, "operator");
      await noteInAudits(tx, ctx, { userId: user.id, action: "member.two_factor_reset", reason: why });
      return "asked";
    });
  },
);

/**
 * Returns how many others decide, of an operator; for everybody else 0. Where fewer than two do, nobody could reset an operator's second factor but by the
 * command line without a name: the link goes to the person alone, a day later.
 */
async function countOtherDeciders(tx: Tx, userId: string): Promise<number> {
  const operators = await tx.select().from(members).where(eq(members.businessId, PLATFORM_BUSINESS));
  if (!operators.some((one) => one.userId === userId)) return 0;
  return operators.filter((one) => one.userId !== userId && isDecider(one)).length;
}
