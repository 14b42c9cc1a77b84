import type { Tx } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { Problem } from "#lib/problem.ts";
import type { Context } from "../../context.ts";
import type { SecondFactorChange } from "../../mails/index.ts";
import { restartPayoutWaits } from "../../restart-payout-waits.ts";
import { mailSecondFactorChanged } from "../links.ts";
import type { UserRow } from "../user.ts";

/** A thief who has added a factor must not have money paid out to a bank account that was added shortly before. */
const ADDS_FACTOR: readonly SecondFactorChange[] = ["totp_on", "passkey_added", "recovery_codes_renewed"];

/**
 * Mails the owner about a change of the second factor, in the transaction of the change, and logs it. The mail's link "This was not me"
 * undoes changes from `since` on, by default from now on.
 */
export async function noteChange(tx: Tx, ctx: Context, user: UserRow, change: SecondFactorChange, since?: Date): Promise<void> {
  await mailSecondFactorChanged(tx, ctx, user, change, since);
  if (ADDS_FACTOR.includes(change)) await restartPayoutWaits(tx, { userId: user.id });
  const { actor, address, requestId } = ctx;
  log().info({ userId: user.id, by: actor.id, address, requestId, change }, "second factor changed");
}

/** Throws PERMISSION_DENIED before the email is verified, because another person may have signed up with the address. */
export function requireVerified({ emailVerifiedAt }: UserRow): void {
  if (emailVerifiedAt === null) throw new Problem("PERMISSION_DENIED", "Confirm your email first, with the link that Oja sent to it.");
}
