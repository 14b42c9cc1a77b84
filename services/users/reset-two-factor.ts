import { eq } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { members } from "#db/schema/tenants.ts";
import { passkeys } from "#db/schema/two-factor.ts";
import { noteInAudit, requireReason } from "../audit/index.ts";
import type { OperatorContext } from "../context.ts";
import { endSessionsOf } from "../sessions/index.ts";
import { readFactors } from "./factors.ts";
import { countCodes, deleteCodes } from "./recovery-codes.ts";
import { findUserByEmail, lockUser } from "./rows.ts";
import { noteChange } from "./second-factor-changed.ts";
import { endTickets } from "./tickets.ts";
import { deleteSecret } from "./totp.ts";

/**
 * Removes the authenticator app, recovery codes and passkeys of a person who has lost them, so that the password alone signs in. Ends all
 * sessions, mails the owner, and notes it in the audit of each business of which the person is a member. Returns `unknown` for an email without a
 * user, and `unchanged` for a user without a second factor. Throws VALIDATION_ERROR for an empty reason.
 */
export async function resetTwoFactor(
  ctx: OperatorContext,
  { email, reason }: { email: string; reason: string },
): Promise<"reset" | "unchanged" | "unknown"> {
  const why = requireReason(reason);
  const user = await findUserByEmail(email);
  if (!user) return "unknown";
  return transaction(async (tx) => {
    const locked = await lockUser(tx, user.id);
    const { isTotpOn, hasPasskeys } = await readFactors(user.id, tx);
    if (!isTotpOn && !hasPasskeys) return "unchanged";
    const recoveryCodes = await countCodes(user.id, tx);
    await deleteSecret(tx, user.id);
    await deleteCodes(tx, user.id);
    const removed = await tx.delete(passkeys).where(eq(passkeys.userId, user.id)).returning({ id: passkeys.id });
    await endTickets(tx, user.id);
    await endSessionsOf(tx, ctx, user.id);
    await noteChange(tx, ctx, locked, "reset_by_operator");
    const before = { totp: isTotpOn, recoveryCodes, passkeys: removed.map(({ id }) => id) };
    const after = { totp: false, recoveryCodes: 0, passkeys: [] };
    for (const businessId of await businessesOf(tx, user.id)) {
      await noteInAudit(tx, ctx, { businessId, action: "member.two_factor_reset", subject: user.id, reason: why, before, after });
    }
    return "reset";
  });
}

/** Returns the ids of a user's businesses in one order, so that two transactions lock their audits in the same one. */
async function businessesOf(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx.select({ id: members.businessId }).from(members).where(eq(members.userId, userId)).orderBy(members.businessId);
  return rows.map(({ id }) => id);
}
