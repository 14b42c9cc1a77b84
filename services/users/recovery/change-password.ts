import { eq } from "drizzle-orm";
import { users } from "#db/schema/tenants.ts";
import { log } from "#lib/log.ts";
import { hashPassword } from "#lib/passwords.ts";
import { invalid, Problem } from "#lib/problem.ts";
import type { MemberContext } from "../../context.ts";
import { endSessionsOf } from "../../sessions/index.ts";
import { verb } from "../../verb.ts";
import { forgetDevices } from "../factors/devices.ts";
import { mailPasswordChanged } from "../links.ts";
import { requireGoodPassword } from "../password-strength.ts";
import { dropOpenProofs } from "../proof/open-proofs.ts";
import { changeWithProof, proveAgain, requireRight } from "../proof/prove-again.ts";
import { businessNamesOf } from "../rows.ts";
import { endTickets } from "../sign-in/tickets.ts";

const PARAM = "new_password";

interface Change {
  password: string;
  code?: string | undefined;
  newPassword: string;
}

/**
 * Changes the password of the acting member. Needs the present one, and a code while an authenticator app is on. Ends all sessions but this one
 * and all unfinished sign-ins, forgets all devices, and mails the person. Throws VALIDATION_ERROR for a wrong password or code, and for a new
 * password that is the present one or easy to guess; RATE_LIMITED after too many wrong ones or when too many wait. A retry of a change that was
 * made changes nothing.
 */
export const changePassword = verb({ permission: "self" }, async (ctx: MemberContext, { newPassword, ...proof }: Change): Promise<void> => {
  if (newPassword.normalize("NFKC") === proof.password.normalize("NFKC"))
    throw invalid(PARAM, "This is the password that you have. Choose another one.");
  if (ctx.resumed && (await isPassword(ctx, newPassword))) return;
  let passwordHash = "";
  await changeWithProof(
    ctx,
    "with_app",
    proof,
    async (tx, user) => {
      await tx.update(users).set({ passwordHash }).where(eq(users.id, user.id));
      await endSessionsOf(tx, ctx, user.id, ctx.sessionId);
      await endTickets(tx, user.id);
      await dropOpenProofs(tx, user.id);
      await forgetDevices(tx, user.id);
      await mailPasswordChanged(tx, ctx, user);
      log().info({ userId: user.id, address: ctx.address, requestId: ctx.requestId }, "password changed by a member");
    },
    async (user) => {
      requireGoodPassword(newPassword, [user.name, user.email, ...(await businessNamesOf(user))], PARAM);
      passwordHash = await hashPassword(newPassword, "known");
    },
  );
});

/** Returns whether a password is the present one. A wrong one counts as a failure, so that a retry does not give new attempts. */
const isPassword = (ctx: MemberContext, password: string): Promise<boolean> =>
  proveAgain(ctx, async (begun) => {
    try {
      await requireRight(ctx, begun, password);
    } catch (error) {
      if (error instanceof Problem && error.code === "VALIDATION_ERROR") return false;
      throw error;
    }
    await begun.tried.uncount();
    return true;
  });
