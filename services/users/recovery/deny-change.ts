import { eq } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import { decoyHash } from "#lib/passwords.ts";
import type { Context } from "../../context.ts";
import { restrict } from "../../members/index.ts";
import { endSessionsOf } from "../../sessions/index.ts";
import { verb } from "../../verb.ts";
import { removeFactorsSince } from "../factors/all-factors.ts";
import { forgetDevices } from "../factors/devices.ts";
import { endRemoval } from "../factors/factor-removals.ts";
import { mailNewPasswordLink } from "../links.ts";
import { mailOtherOwners } from "../mail-owners.ts";
import { dropOpenProofs } from "../proof/open-proofs.ts";
import { lockUser } from "../rows.ts";
import { endTickets } from "../sign-in/tickets.ts";
import { consumeNotMeToken, endTokens, findTokenUser } from "../tokens.ts";
import { findDeniedWork, pauseWork } from "./pause-work.ts";

type Denied = { status: "denied"; removedFactors: number } | { status: "link_ended" };

/**
 * Undoes the changes of a thief in an account, by the link "This was not me" of a mail about a change. Since that change: stops the work that the
 * account has made (`pauseWork`); removes the second factors if the first was added since (`removeFactorsSince`). Restricts the account for 24 h,
 * because a factor that stays signs in. Ends all sessions, open requests and other links, and makes the password useless until another is chosen by the link that is mailed now. This link
 * alone chooses none: somebody may have kept it who has the mailbox no more. The other owners of the account's businesses are told, with the roles that
 * the account has changed since, which stay. Returns
 * `link_ended` for a link that is unknown, used or older than 30 days.
 */
export const denyChange = verb({ actor: ["anyone"] }, async (ctx: Context, token: string): Promise<Denied> => {
  const owner = await findTokenUser("not_me", token);
  if (!owner) return { status: "link_ended" };
  const own: Context = { ...ctx, actor: { type: "member", id: owner.id } };
  return transaction(async (tx) => {
    const user = await lockUser(tx, owner.id);
    const since = await consumeNotMeToken(tx, token);
    if (since === undefined) return { status: "link_ended" };
    await tx.update(users).set({ passwordHash: decoyHash() }).where(eq(users.id, user.id));
    await endSessionsOf(tx, own, user.id);
    await endTickets(tx, user.id);
    await forgetDevices(tx, user.id);
    await dropOpenProofs(tx, user.id);
    await endRemoval(tx, user.id, "denied");
    for (const kind of ["not_me", "reset_password", "ask_removal"] as const) await endTokens(tx, kind, user.id);
    const removedFactors = await removeFactorsSince(tx, user, since);
    await mailNewPasswordLink(tx, own, user);
    await restrict(tx, user.id);
    const work = await findDeniedWork(tx, user.id, since);
    await mailOtherOwners(tx, own, user, "not_me", work);
    await pauseWork(tx, own, user.id, work);
    return { status: "denied", removedFactors };
  });
});
