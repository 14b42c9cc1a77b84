import { and, eq } from "drizzle-orm";
import { db, transaction } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import { parsed } from "#lib/parsed.ts";
import { type Asker, decoyHash, hashPassword } from "#lib/passwords.ts";
import type { Context } from "../../context.ts";
import { verb } from "../../verb.ts";
import { SignInForm } from "../contract.ts";
import { knownDevice } from "../factors/devices.ts";
import { mailLink } from "../links.ts";
import { comparePassword } from "../proof/compare-password.ts";
import { attempt, type Wait } from "../proof/tries.ts";
import { findUserByEmail, lockUser } from "../rows.ts";
import { normalEmail, type UserRow } from "../user.ts";
import { afterPassword, type SecondFactorDue } from "./after-password.ts";
import { type Browser, type Entered, noteSignIn } from "./complete-sign-in.ts";

interface SignIn extends Browser {
  email: string;
  password: string;
}

/** An id that no user has. */
const NOBODY = "usr_nobody";
const Proof = SignInForm.pick({ email: true, password: true });

/** `wrong` does not say whether email or password is wrong. `unverified`: the password was right, and a new link was mailed. */
type SignedIn = Entered | SecondFactorDue | { status: "unverified" } | { status: "wrong" } | Wait;

/**
 * Signs a person in by email and password, or asks for the second factor. An email without a user takes as long as one with a user, and gets
 * the same answer. Failures are counted by account, network and site, or by device where it is known (`attempt`). Throws VALIDATION_ERROR for
 * fields of a wrong form, and RATE_LIMITED when too many wait.
 */
export const signIn = verb(
  { actor: ["anyone"] },
  async (ctx: Context, { device, session, userAgent, ...given }: SignIn): Promise<SignedIn> => {
    const { email: typed, password } = parsed(Proof, given);
    const email = normalEmail(typed);
    const user = await findUserByEmail(email);
    const known = await knownDevice(user?.id ?? NOBODY, device);
    const tried = await attempt({ email, address: ctx.address, device: known });
    if (tried.status === "blocked") {
      noteSignIn(ctx, user, "sign-in refused: too many failures");
      return { status: "wait", waitSeconds: tried.waitSeconds };
    }
    const asker: Asker = known === null ? "stranger" : "known";
    const check = await comparePassword(tried, { password, passwordHash: user?.passwordHash ?? decoyHash(), asker });
    if (!user || check === "wrong") {
      noteSignIn(ctx, user, "sign-in failed");
      return { status: "wrong" };
    }
    const hashes = [user.passwordHash];
    if (check === "outdated") hashes.push(await renewHash(user, password, asker));
    if (user.emailVerifiedAt === null) {
      await tried.succeed();
      await transaction((tx) => mailLink(tx, ctx, "verify_email", user));
      noteSignIn(ctx, user, "sign-in before the email was verified");
      return { status: "unverified" };
    }
    const result = await enter(ctx, user.id, hashes, { device, session, userAgent });
    if (result.status === "signed_in") await tried.succeed();
    if (result.status === "second_factor") await tried.uncount();
    return result;
  },
);

/** Continues after a right password. Returns `wrong` if the user's hash is not one of `hashes`, because the password was changed meanwhile. */
async function enter(
  ctx: Context,
  userId: string,
  hashes: string[],
  browser: Browser,
): Promise<Entered | SecondFactorDue | { status: "wrong" }> {
  return transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (hashes.includes(user.passwordHash)) return afterPassword(tx, ctx, user, browser);
    noteSignIn(ctx, user, "sign-in failed: the password was changed meanwhile");
    return { status: "wrong" };
  });
}

/** Hashes the password again with the present cost, unless it was changed in the meantime. Returns the new hash. */
async function renewHash({ id, passwordHash }: UserRow, password: string, asker: Asker): Promise<string> {
  const renewed = await hashPassword(password, asker);
  await db()
    .update(users)
    .set({ passwordHash: renewed })
    .where(and(eq(users.id, id), eq(users.passwordHash, passwordHash)));
  return renewed;
}
