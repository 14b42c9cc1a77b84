import { eq } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import { hashOfNobody } from "#lib/passwords.ts";
import { isoOrNull } from "#lib/time.ts";
import { pauseKeysMadeBy } from "../api-keys/index.ts";
import { noteInAudit } from "../audit/index.ts";
import type { Context } from "../context.ts";
import { pauseInvitationsOf } from "../members/index.ts";
import { endSessionsOf } from "../sessions/index.ts";
import { removeMailedFactors } from "./all-factors.ts";
import { businessesOf } from "./businesses-of.ts";
import { forgetDevices } from "./devices.ts";
import { endRemoval } from "./factor-removals.ts";
import { lockUser } from "./rows.ts";
import { tellOtherOwners } from "./tell-owners.ts";
import { endTickets } from "./tickets.ts";
import { findTokenUser, issueToken, spendNotMe } from "./tokens.ts";

/** `resetToken`: for the page on which the person chooses a new password. */
type Denied = { status: "denied"; resetToken: string; removedFactors: number } | { status: "link_ended" };

/**
 * Undoes what somebody else can have done in an account, by the link "This was not me" of a mail about a change. Since that change: pauses the API
 * keys that the account made and ends the links of its invitations; removes second factors that were added on a mailed code (`removeMailedFactors`).
 * Ends all sessions and open requests, and makes the password useless until another is chosen. The other owners of the account's businesses are
 * told. Returns `link_ended` for a link that is unknown, used or older than 30 days.
 */
export async function denyChange(ctx: Context, token: string): Promise<Denied> {
  const owner = await findTokenUser("not_me", token);
  if (!owner) return { status: "link_ended" };
  const own: Context = { ...ctx, actor: { type: "member", id: owner.id } };
  return transaction(async (tx) => {
    const user = await lockUser(tx, owner.id);
    const since = await spendNotMe(tx, token);
    if (since === undefined) return { status: "link_ended" };
    await tx.update(users).set({ passwordHash: hashOfNobody() }).where(eq(users.id, user.id));
    await endSessionsOf(tx, own, user.id);
    await endTickets(tx, user.id);
    await forgetDevices(tx, user.id);
    await endRemoval(tx, user.id, "denied");
    const removedFactors = await removeMailedFactors(tx, user.id, since);
    const resetToken = await issueToken(tx, "reset_password", user.id);
    await tellOtherOwners(tx, own, user, "not_me");
    await pauseWork(tx, own, user.id, since);
    return { status: "denied", resetToken, removedFactors };
  });
}

/** Pauses what the account has made in each of its businesses, and notes it there. */
async function pauseWork(tx: Tx, own: Context, userId: string, since: Date): Promise<void> {
  for (const businessId of await businessesOf(tx, userId)) {
    const keys = await pauseKeysMadeBy(tx, { businessId, userId, since });
    const invitations = await pauseInvitationsOf(tx, { businessId, userId, since });
    const after = { changes_since: isoOrNull(since), paused_keys: keys, paused_invitations: invitations };
    await noteInAudit(tx, own, { businessId, action: "member.changes_denied", subject: userId, after });
  }
}
