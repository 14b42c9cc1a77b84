import type { Tx } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { HOUR_MS } from "#lib/time.ts";
import type { Context } from "../context.ts";
import { queueMail, wasQueued } from "../mails/index.ts";
import { issueToken, wasIssuedJustNow } from "./tokens.ts";
import type { User } from "./user.ts";

const link = (path: string) => `${settings().BASE_URL}${path}`;
/** The pages of these links work without JavaScript, so the token is in the query. It works once, and our log has no query. */
const linkWith = (path: string, token: string) => link(`${path}?token=${token}`);

const SIGN_IN = "/sign-in";
const RESET = "/reset";

/** Sends a link that verifies the user's email, unless one was sent within two minutes. Links that were sent before stop working. */
export async function mailVerification(tx: Tx, ctx: Context, { id, name, email }: Pick<User, "id" | "name" | "email">): Promise<void> {
  if (await wasIssuedJustNow(tx, "verify_email", id)) return;
  const token = await issueToken(tx, "verify_email", id);
  await queueMail(tx, ctx, { to: email, kind: "verify_email", words: { name, link: linkWith("/verify", token) } });
}

/** Sends a link with which a new password can be chosen, unless one was sent within two minutes. Links that were sent before stop working. */
export async function mailReset(tx: Tx, ctx: Context, { id, name, email }: Pick<User, "id" | "name" | "email">): Promise<void> {
  if (await wasIssuedJustNow(tx, "reset_password", id)) return;
  const token = await issueToken(tx, "reset_password", id);
  await queueMail(tx, ctx, { to: email, kind: "reset_password", words: { name, link: linkWith(RESET, token) } });
}

/** Tells the owner of an email that somebody tried to sign up with it, once an hour at most. */
export async function mailEmailTaken(tx: Tx, ctx: Context, { name, email }: Pick<User, "name" | "email">): Promise<void> {
  const mail = { to: email, kind: "email_taken", words: { name, signInLink: link(SIGN_IN), resetLink: link(RESET) } } as const;
  if (!(await wasQueued(tx, mail, HOUR_MS))) await queueMail(tx, ctx, mail);
}

export async function mailPasswordChanged(tx: Tx, ctx: Context, { name, email }: Pick<User, "name" | "email">): Promise<void> {
  await queueMail(tx, ctx, { to: email, kind: "password_changed", words: { name, resetLink: link(RESET) } });
}
