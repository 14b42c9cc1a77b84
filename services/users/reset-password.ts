import { eq, sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import { log } from "#lib/log.ts";
import { hashPassword } from "#lib/passwords.ts";
import type { Context } from "../context.ts";
import { endSessionsOf } from "../sessions/index.ts";
import { forgetDevices } from "./devices.ts";
import { mailLink, mailPasswordChanged } from "./links.ts";
import { requireGoodPassword } from "./password-strength.ts";
import { findUserByEmail, lockUser } from "./rows.ts";
import { findTokenUser, useToken } from "./tokens.ts";

/** Sends a link for a new password, if the email has a user. Returns nothing, so that nobody learns whether it has. */
export async function requestReset(ctx: Context, email: string): Promise<void> {
  const user = await findUserByEmail(email);
  log().info({ userId: user?.id, address: ctx.address }, "a new password was asked for");
  if (user) await transaction((tx) => mailLink(tx, ctx, "reset_password", user));
}

/**
 * Chooses a new password by the token of a link, once. Ends all sessions of the user and forgets the user's devices; a second factor stays
 * on. The link proves the email, so it is verified too. Returns false for a link that is unknown, used or too old. Throws VALIDATION_ERROR
 * for a password that is easy to guess, and leaves the link usable.
 */
export async function resetPassword(ctx: Context, token: string, password: string): Promise<boolean> {
  const owner = await findTokenUser("reset_password", token);
  if (!owner) return false;
  requireGoodPassword(password, [owner.name, owner.email]);
  const passwordHash = await hashPassword(password);
  return transaction(async (tx) => {
    const userId = await useToken(tx, "reset_password", token);
    if (userId === undefined) return false;
    const user = await lockUser(tx, userId);
    await tx
      .update(users)
      .set({ passwordHash, emailVerifiedAt: user.emailVerifiedAt ?? sql`now()` })
      .where(eq(users.id, userId));
    await endSessionsOf(tx, ctx, userId);
    await forgetDevices(tx, userId);
    await mailPasswordChanged(tx, ctx, user);
    log().info({ userId, address: ctx.address }, "password changed by a link");
    return true;
  });
}
