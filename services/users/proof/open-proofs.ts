import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import { mailedCodes, totpSecrets } from "#db/schema/two-factor.ts";
import { Problem } from "#lib/problem.ts";
import type { MemberContext } from "../../context.ts";
import { dropChallenges } from "../factors/passkey-challenges.ts";
import { lockUser } from "../rows.ts";
import type { UserRow } from "../user.ts";

/** Ends a user's unfinished steps: mailed codes, new apps without a first code, and challenges of passkeys. */
export async function dropOpenProofs(tx: Tx, userId: string): Promise<void> {
  await dropChallenges(tx, userId);
  await tx.delete(mailedCodes).where(eq(mailedCodes.userId, userId));
  await tx.delete(totpSecrets).where(and(eq(totpSecrets.userId, userId), isNull(totpSecrets.confirmedAt)));
}

/**
 * Locks the member who acts. Throws MISSING_CREDENTIALS where the session has ended: a request may have waited for this lock behind the reset that
 * ended it.
 */
export async function lockSelf(tx: Tx, { actor, sessionId }: MemberContext): Promise<UserRow> {
  const user = await lockUser(tx, actor.id);
  const isOpen = and(eq(sessions.id, sessionId), eq(sessions.userId, actor.id), isNull(sessions.endedAt));
  if ((await tx.$count(sessions, isOpen)) === 0) throw new Problem("MISSING_CREDENTIALS", "Your session has ended. Sign in again.");
  return user;
}
