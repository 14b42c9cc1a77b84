import type { z } from "zod";
import { transaction } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import { newId } from "#lib/ids.ts";
import { parsed } from "#lib/parsed.ts";
import { hashPassword } from "#lib/passwords.ts";
import type { Context } from "../../context.ts";
import { findInvitationOfLink } from "../../members/index.ts";
import { verb } from "../../verb.ts";
import { InvitedForm, SignUpForm } from "../contract.ts";
import { mailEmailTaken, mailLink } from "../links.ts";
import { requireGoodPassword } from "../password-strength.ts";
import { countRequest, type Wait } from "../proof/tries.ts";
import { findUserByEmail } from "../rows.ts";
import { normalEmail } from "../user.ts";

/**
 * Makes a user and mails a link that verifies the email. The business is made then (`openPendingBusiness`). If the email has a user already,
 * changes nothing and tells its owner by mail. Returns `done` in either case, so that the answer does not reveal an account, or `wait` after
 * too many sign-ups of a network. Throws VALIDATION_ERROR for fields of a wrong form and for a password that is easy to guess, and
 * RATE_LIMITED when too many wait.
 */
export const signUp = verb(
  { actor: ["anyone"] },
  async (ctx: Context, fields: z.input<typeof SignUpForm>): Promise<{ status: "done" } | Wait> => {
    const { name, business, email, password } = parsed(SignUpForm, fields);
    return makeUser(ctx, { name, password, email: normalEmail(email), pendingBusiness: business });
  },
);

/**
 * As `signUp`, for a person whom the link of a mail invites: the email is the invited one, and no business is made. The link proves nothing, because
 * mails are forwarded, so the email is verified like any other. Returns also `ended`, if the invitation is no longer open.
 */
export const signUpInvited = verb(
  { actor: ["anyone"] },
  async (ctx: Context, fields: z.input<typeof InvitedForm>): Promise<{ status: "done"; email: string } | { status: "ended" } | Wait> => {
    const { name, password, token } = parsed(InvitedForm, fields);
    const invitation = await findInvitationOfLink(token);
    if (invitation?.state !== "open") return { status: "ended" };
    const { email } = invitation;
    const made = await makeUser(ctx, { name, password, email, pendingBusiness: null });
    return made.status === "done" ? { ...made, email } : made;
  },
);

interface NewUser {
  name: string;
  email: string;
  password: string;
  /** The name of the business. Null: the person joins an existing business. */
  pendingBusiness: string | null;
}

async function makeUser(ctx: Context, { name, email, password, pendingBusiness }: NewUser): Promise<{ status: "done" } | Wait> {
  const tooMany = await countRequest("sign_up", ctx.address);
  if (tooMany) return tooMany;
  requireGoodPassword(password, [name, email, ...(pendingBusiness === null ? [] : [pendingBusiness])]);
  // Hashed even if the email has a user, because the time of the answer would reveal it.
  const passwordHash = await hashPassword(password);
  await transaction(async (tx) => {
    const values = { id: newId("user"), email, name, passwordHash, pendingBusiness };
    const [user] = await tx.insert(users).values(values).onConflictDoNothing().returning();
    if (user) return mailLink(tx, ctx, "verify_email", user);
    const owner = await findUserByEmail(email, tx);
    if (owner) await mailEmailTaken(tx, ctx, owner);
  });
  return { status: "done" };
}
