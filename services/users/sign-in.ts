import { and, eq } from "drizzle-orm";
import { db, transaction } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import { log } from "#lib/log.ts";
import { checkPassword, hashPassword } from "#lib/passwords.ts";
import type { Context } from "../context.ts";
import { beginSession } from "../sessions/index.ts";
import { knownDevice, rememberDevice } from "./devices.ts";
import { mailLink } from "./links.ts";
import { findUserByEmail } from "./rows.ts";
import { attempt } from "./tries.ts";
import { normalEmail, type UserRow } from "./user.ts";

interface SignIn {
  email: string;
  password: string;
  /** The token of the device's cookie, if the browser has one. */
  device: string | null;
  userAgent: string | null;
}

/** `wrong` says nothing of which part was wrong. `unverified`: the password was right, and a new link was sent to the email. */
type SignedIn =
  | { status: "signed_in"; token: string; device: string; userId: string }
  | { status: "unverified" }
  | { status: "wrong" }
  | { status: "wait"; waitSeconds: number };

/**
 * Signs a person in by email and password. An email without a user takes as long as one with a user, and gets the same answer. Failures
 * are counted by account and network, or by device where it is known (`attempt`).
 */
export async function signIn(ctx: Context, { email: given, password, device, userAgent }: SignIn): Promise<SignedIn> {
  const email = normalEmail(given);
  const user = await findUserByEmail(email);
  const known = user ? await knownDevice(user.id, device) : null;
  const tried = await attempt({ email, address: ctx.address ?? "", device: known });
  if (tried.status === "blocked") {
    noteSignIn(ctx, user, "sign-in refused: too many failures");
    return { status: "wait", waitSeconds: tried.waitSeconds };
  }
  const check = await checkPassword(password, user?.passwordHash ?? (await hashOfNobody()));
  if (!user || check === "wrong") {
    noteSignIn(ctx, user, "sign-in failed");
    return { status: "wrong" };
  }
  await tried.succeed();
  if (check === "outdated") await renewHash(user, password);
  if (user.emailVerifiedAt === null) {
    await transaction((tx) => mailLink(tx, ctx, "verify_email", user));
    noteSignIn(ctx, user, "sign-in before the email was verified");
    return { status: "unverified" };
  }
  return transaction(async (tx) => {
    const { token } = await beginSession(tx, ctx, user.id, userAgent);
    const remembered = await rememberDevice(tx, user.id, device);
    noteSignIn(ctx, user, "signed in");
    return { status: "signed_in", token, device: remembered, userId: user.id };
  });
}

/** Logs a sign-in or a failure, with the user's id and never with an email or a password. */
function noteSignIn({ address, requestId }: Context, user: UserRow | undefined, message: string): void {
  log().info({ userId: user?.id, address, requestId }, message);
}

let nobody: Promise<string> | undefined;

/** Returns a hash that no password has. Comparing with it takes as long as with that of a user. */
function hashOfNobody(): Promise<string> {
  nobody ??= hashPassword(crypto.randomUUID());
  return nobody;
}

/** Stores the hash anew with the cost of today, unless the password was changed meanwhile. */
async function renewHash({ id, passwordHash }: UserRow, password: string): Promise<void> {
  const renewed = await hashPassword(password);
  await db()
    .update(users)
    .set({ passwordHash: renewed })
    .where(and(eq(users.id, id), eq(users.passwordHash, passwordHash)));
}
