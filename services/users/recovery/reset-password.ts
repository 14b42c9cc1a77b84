import { eq, sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import { log } from "#lib/log.ts";
import { parsed } from "#lib/parsed.ts";
import { hashPassword } from "#lib/passwords.ts";
import type { Context } from "../../context.ts";
import { restrict } from "../../members/index.ts";
import { endSessionsOf } from "../../sessions/index.ts";
import { verb } from "../../verb.ts";
import { EmailForm, NewPasswordForm } from "../contract.ts";
import { forgetDevices, rememberDevice } from "../factors/devices.ts";
import { endRemovalByReset, mayRemoveByMail } from "../factors/factor-removals.ts";
import { hasSecondFactor } from "../factors/factors.ts";
import { mailLink, mailPasswordChanged } from "../links.ts";
import { mailOtherOwners } from "../mail-owners.ts";
import { requireGoodPassword } from "../password-strength.ts";
import { dropOpenProofs } from "../proof/open-proofs.ts";
import { countRequest, forgetFailures, type Wait } from "../proof/tries.ts";
import { businessNamesOf, findUserByEmail, lockUser } from "../rows.ts";
import { openPendingBusiness } from "../sign-in/pending-business.ts";
import { endTickets } from "../sign-in/tickets.ts";
import { consumeToken, findTokenUser, issueToken } from "../tokens.ts";

/**
 * Sends a link for a new password, if the email has a user. Returns `done` in either case, so that the answer does not reveal it, or `wait`
 * after too many requests of a network. Throws VALIDATION_ERROR for a text that is no email.
 */
export const requestReset = verb({ actor: ["anyone"] }, async (ctx: Context, given: string): Promise<{ status: "done" } | Wait> => {
  const { email } = parsed(EmailForm, { email: given });
  const tooMany = await countRequest("reset", ctx.address);
  if (tooMany) return tooMany;
  const user = await findUserByEmail(email);
  log().info({ userId: user?.id, address: ctx.address, requestId: ctx.requestId }, "a new password was asked for");
  if (user) await transaction((tx) => mailLink(tx, ctx, "reset_password", user));
  return { status: "done" };
});

/**
 * `device`: the token for the browser's cookie, by which strangers who guess cannot make the owner wait. `removalToken`: for the page that offers to
 * remove the second factors (`askRemoval`); null if the account has no factor, or a factor is older than 30 days.
 */
type Reset = { status: "changed"; device: string; removalToken: string | null } | { status: "link_ended" };

/**
 * Chooses a new password by the token of a link, and ends the user's other links of the kind. Ends all sessions and
 * unfinished sign-ins of the user and a request by mail to remove the second factors (an operator's goes on), and forgets the user's devices but this one. Second factors
 * stay on; without one, the failures of the account are forgotten. Restricts the account for 24 h, and tells the other owners. The link proves the email, so it is verified too, and a
 * business that waited for that is opened. Returns `link_ended` for a link that is unknown, used or too old. Throws VALIDATION_ERROR for a
 * password that is easy to guess, and leaves the link usable; and RATE_LIMITED when too many wait.
 */
export const resetPassword = verb(
  { actor: ["anyone"] },
  async (ctx: Context, givenToken: string, givenPassword: string): Promise<Reset> => {
    const { token, password } = parsed(NewPasswordForm, { token: givenToken, password: givenPassword });
    const owner = await findTokenUser("reset_password", token);
    if (!owner) return { status: "link_ended" };
    requireGoodPassword(password, [owner.name, owner.email, ...(await businessNamesOf(owner))]);
    const passwordHash = await hashPassword(password, "known");
    const result = await transaction(async (tx): Promise<Reset> => {
      const user = await lockUser(tx, owner.id);
      if (!(await consumeToken(tx, "reset_password", token))) return { status: "link_ended" };
      await openPendingBusiness(tx, ctx, user);
      await tx
        .update(users)
        .set({ passwordHash, emailVerifiedAt: user.emailVerifiedAt ?? sql`now()`, passwordResetAt: sql`now()` })
        .where(eq(users.id, user.id));
      await endSessionsOf(tx, ctx, user.id);
      await endTickets(tx, user.id);
      await dropOpenProofs(tx, user.id);
      await forgetDevices(tx, user.id);
      await restrict(tx, user.id);
      await endRemovalByReset(tx, user.id);
      await mailPasswordChanged(tx, ctx, user);
      await mailOtherOwners(tx, ctx, user, "password_reset");
      log().info({ userId: user.id, address: ctx.address, requestId: ctx.requestId }, "password changed by a link");
      const { token: device } = await rememberDevice(tx, user.id, null);
      const mayRemove = await mayRemoveByMail(tx, user.id);
      return { status: "changed", device, removalToken: mayRemove ? await issueToken(tx, "ask_removal", user.id) : null };
    });
    if (result.status === "link_ended") return result;
    // With a second factor the failures include those at codes, and a mail must not give new attempts at codes.
    if (!(await hasSecondFactor(owner.id))) await forgetFailures(owner.email);
    return result;
  },
);
