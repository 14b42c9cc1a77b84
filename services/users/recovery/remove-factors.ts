import { transaction } from "#db/client.ts";
import type { Context } from "../../context.ts";
import { restrict } from "../../members/index.ts";
import { endSessionsOf } from "../../sessions/index.ts";
import { verb } from "../../verb.ts";
import { noteInAudits } from "../businesses-of.ts";
import { removeAllFactors } from "../factors/all-factors.ts";
import { finishRemoval, hasRemovalOfOperator, mayRemoveByMail, startOfFactors, storeRemoval } from "../factors/factor-removals.ts";
import { noteChange } from "../factors/second-factor-changed.ts";
import { mailOtherOwners } from "../mail-owners.ts";
import { dropOpenProofs } from "../proof/open-proofs.ts";
import { lockUser } from "../rows.ts";
import { endTickets } from "../sign-in/tickets.ts";
import { consumeToken, findTokenUser } from "../tokens.ts";

/**
 * Requests the removal of all second factors of a person, by the token of the page after a reset (`resetPassword`). A link is mailed 24 h later.
 * An open request of an operator goes on instead, and its link comes earlier. Returns `link_ended` for a token that is unknown, used or too old, and
 * `unchanged` where a factor is older than 30 days or none is left.
 */
export const askRemoval = verb(
  { actor: ["anyone"] },
  async (ctx: Context, token: string): Promise<{ status: "asked" | "unchanged" | "link_ended" }> => {
    const owner = await findTokenUser("ask_removal", token);
    if (!owner) return { status: "link_ended" };
    return transaction(async (tx) => {
      const user = await lockUser(tx, owner.id);
      if (!(await consumeToken(tx, "ask_removal", token))) return { status: "link_ended" };
      if (!(await mayRemoveByMail(tx, user.id))) return { status: "unchanged" };
      if (!(await hasRemovalOfOperator(tx, user.id))) await storeRemoval(tx, ctx, user, "mail");
      return { status: "asked" };
    });
  },
);

/**
 * Removes all second factors of a person by the link that was mailed a day after the request, ends all sessions, and restricts the account for 24 h.
 * Returns `link_ended` for a link that is unknown, used or too old, and where a sign-in has ended the request.
 */
export const removeFactors = verb(
  { actor: ["anyone"] },
  async (ctx: Context, token: string): Promise<{ status: "removed" | "link_ended" }> => {
    const owner = await findTokenUser("remove_factors", token);
    if (!owner) return { status: "link_ended" };
    const own: Context = { ...ctx, actor: { type: "member", id: owner.id } };
    return transaction(async (tx) => {
      const user = await lockUser(tx, owner.id);
      if (!(await consumeToken(tx, "remove_factors", token)) || !(await finishRemoval(tx, user.id))) return { status: "link_ended" };
      await removeAllFactors(tx, user.id);
      await dropOpenProofs(tx, user.id);
      await endTickets(tx, user.id);
      await endSessionsOf(tx, own, user.id);
      await restrict(tx, user.id);
      await noteChange(tx, own, user, "removed_by_mail", startOfFactors(user));
      await mailOtherOwners(tx, own, user, "factors_removed");
      await noteInAudits(tx, own, { userId: user.id, action: "member.two_factor_removed" });
      return { status: "removed" };
    });
  },
);
