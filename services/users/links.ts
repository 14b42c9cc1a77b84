import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { DAY_MS, HOUR_MS } from "#lib/time.ts";
import type { Context } from "../context.ts";
import { type ColleagueChange, countQueued, queueMail, type SecondFactorChange, type TeamAct } from "../mails/index.ts";
import { browserName } from "./browser-name.ts";
import { lockUser } from "./rows.ts";
import { issueToken, wasIssuedJustNow } from "./tokens.ts";
import type { User } from "./user.ts";

const link = (path: string) => `${settings().DASHBOARD_URL}${path}`;
/** The pages of these links work without JavaScript, so the token is in the query. It works once, and our log has no query. */
const linkWith = (path: string, token: string) => link(`${path}?token=${token}`);

const SIGN_IN = "/sign-in";
const RESET = "/reset";
/** "Your security" lists the sessions of a person. It is the same in both modes, and an installation may have no test mode. */
const securityPage = () => `/${settings().OJA_TEST_MODE ? "test" : "live"}/security`;
const teamPage = () => `/${settings().OJA_TEST_MODE ? "test" : "live"}/team`;

const PAGE_OF = { verify_email: "/verify", reset_password: RESET, remove_factors: "/remove-second-step", not_me: "/not-me" };

/** The kinds of mails that a stranger can cause for any address. Together they have one limit per address. */
const CAUSED_BY_STRANGERS = ["verify_email", "reset_password", "email_taken"] as const;
const MAX_A_DAY = 6;

const hadEnough = async (tx: Tx, email: string): Promise<boolean> =>
  (await countQueued(tx, { to: email, kinds: [...CAUSED_BY_STRANGERS] }, DAY_MS)) >= MAX_A_DAY;

/**
 * Sends a link that verifies the user's email, or with which the user chooses a new password. Sends none if one was sent within two minutes,
 * or 6 mails within a day that strangers can cause. Locks the user, so that these bounds hold for many requests at once.
 */
export async function mailLink(
  tx: Tx,
  ctx: Context,
  kind: "verify_email" | "reset_password",
  { id, name, email }: Pick<User, "id" | "name" | "email">,
): Promise<void> {
  await lockUser(tx, id);
  if ((await wasIssuedJustNow(tx, kind, id)) || (await hadEnough(tx, email))) return;
  const token = await issueToken(tx, kind, id);
  await queueMail(tx, ctx, { to: email, kind, words: { name, link: linkWith(PAGE_OF[kind], token) } });
}

/** Sends a user the link to choose a new password after `denyChange`. The link "This was not me" works once, so this needs no bound. */
export async function mailNewPasswordLink(tx: Tx, ctx: Context, { id, name, email }: Pick<User, "id" | "name" | "email">): Promise<void> {
  const words = { name, link: linkWith(PAGE_OF.reset_password, await issueToken(tx, "reset_password", id)) };
  await queueMail(tx, ctx, { to: email, kind: "reset_password", words });
}

/** Tells the owner of an email that somebody tried to sign up with it, once an hour at most. Bounded as links are. Locks the user. */
export async function mailEmailTaken(tx: Tx, ctx: Context, { id, name, email }: Pick<User, "id" | "name" | "email">): Promise<void> {
  await lockUser(tx, id);
  if ((await countQueued(tx, { to: email, kinds: ["email_taken"] }, HOUR_MS)) > 0 || (await hadEnough(tx, email))) return;
  await queueMail(tx, ctx, { to: email, kind: "email_taken", words: { name, signInLink: link(SIGN_IN), resetLink: link(RESET) } });
}

/** Returns the link "This was not me" of a mail that tells a user of a change. It undoes changes from `since` on, by default now. */
async function notMeLink(tx: Tx, userId: string, since: SQL | Date = sql`now()`): Promise<string> {
  return linkWith(PAGE_OF.not_me, await issueToken(tx, "not_me", userId, since));
}

export async function mailPasswordChanged(tx: Tx, ctx: Context, { id, name, email }: Pick<User, "id" | "name" | "email">): Promise<void> {
  await queueMail(tx, ctx, { to: email, kind: "password_changed", words: { name, notMeLink: await notMeLink(tx, id) } });
}

/** Mails the link that removes all second factors of a user, once the user confirms it on its page. */
export async function mailRemoveFactors(tx: Tx, ctx: Context, { id, name, email }: Pick<User, "id" | "name" | "email">): Promise<void> {
  const words = { name, link: linkWith(PAGE_OF.remove_factors, await issueToken(tx, "remove_factors", id)) };
  await queueMail(tx, ctx, { to: email, kind: "remove_factors", words });
}

/** Mails a user the code with which the first second factor is added. */
export async function mailCode(tx: Tx, ctx: Context, { name, email }: Pick<User, "name" | "email">, code: string): Promise<void> {
  await queueMail(tx, ctx, { to: email, kind: "first_factor_code", words: { name, code, securityLink: link(securityPage()) } });
}

/** Tells another owner of a business of a change of a colleague's account. */
export async function mailColleagueChanged(
  tx: Tx,
  ctx: Context,
  { email, ...words }: { email: string; name: string; business: string; colleague: string; change: ColleagueChange; acts: TeamAct[] },
): Promise<void> {
  await queueMail(tx, ctx, { to: email, kind: "colleague_changed", words: { ...words, at: new Date(), teamLink: link(teamPage()) } });
}

/** Tells a user of a sign-in with a browser that is new to the account. */
export async function mailNewDevice(
  tx: Tx,
  ctx: Context,
  { name, email }: Pick<User, "name" | "email">,
  userAgent: string | null,
): Promise<void> {
  const words = { name, address: ctx.address, browser: browserName(userAgent), at: new Date(), sessionsLink: link(securityPage()) };
  await queueMail(tx, ctx, { to: email, kind: "new_device", words });
}

/** Tells a user what has changed about the second factor. */
export async function mailSecondFactorChanged(
  tx: Tx,
  ctx: Context,
  { id, name, email }: Pick<User, "id" | "name" | "email">,
  change: SecondFactorChange,
  since?: Date,
): Promise<void> {
  const words = { name, change, at: new Date(), notMeLink: await notMeLink(tx, id, since) };
  await queueMail(tx, ctx, { to: email, kind: "second_factor_changed", words });
}
