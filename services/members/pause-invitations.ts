import { and, eq, gte, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { invitations } from "#db/schema/tenants.ts";
import { isUnanswered } from "./invitation-rows.ts";

/**
 * Ends the links of the unanswered invitations of a business that a member has sent since a time. Each counts as expired, so that a member may send
 * it again. Returns their ids.
 */
export async function pauseInvitationsOf(
  tx: Tx,
  { businessId, userId, since }: { businessId: string; userId: string; since: Date },
): Promise<string[]> {
  const ended = await tx
    .update(invitations)
    .set({ expiresAt: sql`now()` })
    .where(
      and(
        ...[eq(invitations.businessId, businessId), eq(invitations.madeBy, `member:${userId}`)],
        ...[gte(invitations.sentAt, since), sql`${invitations.expiresAt} > now()`, isUnanswered],
      ),
    )
    .returning({ id: invitations.id });
  return ended.map(({ id }) => id).toSorted();
}
