import { eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { transaction } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import { log } from "#lib/log.ts";
import { parsed } from "#lib/parsed.ts";
import type { Context } from "../../context.ts";
import { verb } from "../../verb.ts";
import { VerifyForm } from "../contract.ts";
import { knownDevice } from "../factors/devices.ts";
import { comparePassword } from "../proof/compare-password.ts";
import { attempt, type Wait } from "../proof/tries.ts";
import { lockUser } from "../rows.ts";
import { consumeToken, findTokenUser } from "../tokens.ts";
import type { UserRow } from "../user.ts";
import { afterPassword, type SecondFactorDue } from "./after-password.ts";
import type { Browser, Entered } from "./complete-sign-in.ts";
import { openPendingBusiness } from "./pending-business.ts";

type Verification = z.input<typeof VerifyForm> & Browser;

/** `link_ended`: the link is unknown, used or too old. `wrong`: the password is, and the link still works. */
type Refused = { status: "wrong" } | { status: "link_ended" };
type Verified = (Omit<Entered, "status"> & { status: "verified" }) | SecondFactorDue | Refused | Wait;

/**
 * Verifies the email of the user to whom a link was sent, opens the business that the user signed up with, and signs the user in. Asks for
 * the password too: a stranger may have signed up with somebody's address, and its owner must not confirm the stranger's account by a click.
 * Wrong passwords are counted as those of a sign-in. Throws VALIDATION_ERROR for fields of a wrong form, and RATE_LIMITED when too many wait.
 */
export const verifyEmail = verb(
  { actor: ["anyone"] },
  async (ctx: Context, { device, session, userAgent, ...fields }: Verification): Promise<Verified> => {
    const { token, password } = parsed(VerifyForm, fields);
    const owner = await findTokenUser("verify_email", token);
    if (!owner) return { status: "link_ended" };
    const { id, email, passwordHash } = owner;
    const tried = await attempt({ email, address: ctx.address, device: await knownDevice(id, device) });
    if (tried.status === "blocked") {
      note(ctx, id, "email not verified: too many failures");
      return { status: "wait", waitSeconds: tried.waitSeconds };
    }
    if ((await comparePassword(tried, { password, passwordHash, asker: "known" })) === "wrong") {
      note(ctx, id, "email not verified: the password was wrong");
      return { status: "wrong" };
    }
    const result = await verify(ctx, owner, token, { device, session, userAgent });
    if (result.status === "signed_in") {
      await tried.succeed();
      return { ...result, status: "verified" };
    }
    // A link that ended in the meantime is not the person's failure, so it is not counted.
    if (result.status !== "wrong") await tried.uncount();
    return result;
  },
);

async function verify(
  ctx: Context,
  { id, passwordHash }: UserRow,
  token: string,
  browser: Browser,
): Promise<Entered | SecondFactorDue | Refused> {
  return transaction(async (tx) => {
    const user = await lockUser(tx, id);
    // A reset may have changed the password meanwhile.
    if (user.passwordHash !== passwordHash) return { status: "wrong" };
    if (!(await consumeToken(tx, "verify_email", token))) return { status: "link_ended" };
    await openPendingBusiness(tx, ctx, user);
    await tx
      .update(users)
      .set({ emailVerifiedAt: user.emailVerifiedAt ?? sql`now()` })
      .where(eq(users.id, id));
    note(ctx, id, "email verified");
    return afterPassword(tx, ctx, user, browser);
  });
}

const note = ({ address, requestId }: Context, userId: string, message: string) => log().info({ userId, address, requestId }, message);
