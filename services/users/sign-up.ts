import { transaction } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import { newId } from "#lib/ids.ts";
import { hashPassword } from "#lib/passwords.ts";
import type { Context } from "../context.ts";
import { insertBusiness } from "../merchants/index.ts";
import { mailEmailTaken, mailLink } from "./links.ts";
import { requireGoodPassword } from "./password-strength.ts";
import { findUserByEmail } from "./rows.ts";
import { normalEmail } from "./user.ts";

interface SignUp {
  name: string;
  business: string;
  email: string;
  password: string;
}

/**
 * Makes a user with a business in both modes, and mails a link that verifies the email. If the email has a user already, changes nothing
 * and tells its owner by mail. Returns nothing in either case, so that nobody learns who has an account here. Throws VALIDATION_ERROR for a
 * password that is easy to guess.
 */
export async function signUp(ctx: Context, { name, business, email: given, password }: SignUp): Promise<void> {
  requireGoodPassword(password, [name, business, given]);
  const email = normalEmail(given);
  // Hashed in either case, because its time would tell.
  const passwordHash = await hashPassword(password);
  await transaction(async (tx) => {
    const id = newId("user");
    const [user] = await tx.insert(users).values({ id, email, name, passwordHash }).onConflictDoNothing().returning();
    if (user) {
      await insertBusiness(tx, { ...ctx, actor: { type: "member", id } }, { name: business, ownerId: id, supportEmail: email });
      return mailLink(tx, ctx, "verify_email", user);
    }
    const owner = await findUserByEmail(email, tx);
    if (owner) await mailEmailTaken(tx, ctx, owner);
  });
}
