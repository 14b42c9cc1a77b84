import type { Tx } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { HOUR_MS } from "#lib/time.ts";
import type { Context } from "../context.ts";
import { queueMail, wasQueued } from "../mails/index.ts";
import { issueToken, type TokenKind, wasIssuedJustNow } from "./tokens.ts";
import type { User } from "./user.ts";

const link = (path: string) => `${settings().BASE_URL}${path}`;
/** The pages of these links work without JavaScript, so the token is in the query. It works once, and our log has no query. */
const linkWith = (path: string, token: string) => link(`${path}?token=${token}`);

const SIGN_IN = "/sign-in";
const RESET = "/reset";

const PAGE_OF = { verify_email: "/verify", reset_password: RESET };

/**
 * Sends a link that verifies the user's email, or with which the user chooses a new password, unless one was sent within two minutes. Links of
 * the kind that were sent before stop working.
 */
export async function mailLink(
  tx: Tx,
  ctx: Context,
  kind: TokenKind,
  { id, name, email }: Pick<User, "id" | "name" | "email">,
): Promise<void> {
  if (await wasIssuedJustNow(tx, kind, id)) return;
  const token = await issueToken(tx, kind, id);
  await queueMail(tx, ctx, { to: email, kind, words: { name, link: linkWith(PAGE_OF[kind], token) } });
}

/** Tells the owner of an email that somebody tried to sign up with it, once an hour at most. */
export async function mailEmailTaken(tx: Tx, ctx: Context, { name, email }: Pick<User, "name" | "email">): Promise<void> {
  const mail = { to: email, kind: "email_taken", words: { name, signInLink: link(SIGN_IN), resetLink: link(RESET) } } as const;
  if (!(await wasQueued(tx, mail, HOUR_MS))) await queueMail(tx, ctx, mail);
}

export async function mailPasswordChanged(tx: Tx, ctx: Context, { name, email }: Pick<User, "name" | "email">): Promise<void> {
  await queueMail(tx, ctx, { to: email, kind: "password_changed", words: { name, resetLink: link(RESET) } });
}
