import { sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { invitations } from "#db/schema/tenants.ts";
import { invalid, Problem } from "#lib/problem.ts";
import { MINUTE_MS } from "#lib/time.ts";
import { noteInAudit } from "../audit/index.ts";
import { type MemberContext, madeBy } from "../context.ts";
import { markExecuted } from "../idempotency/index.ts";
import type { ProvenContext } from "../proven.ts";
import { verb } from "../verb.ts";
import { hashOfToken, type Invitation, invitationFromRow, newToken } from "./invitation.ts";
import { endInvitation, isInvitation, linkEnds, mailInvitation, readInvitation, requireEndable } from "./invitation-rows.ts";
import { requireUnrestricted } from "./require-unrestricted.ts";
import { lockTeam } from "./team.ts";

const MIN_BETWEEN_MAILS_MS = MINUTE_MS;
const MAX_SENDS = 5;

/**
 * Mails an invitation again, with a new link that works for 7 days. The earlier link ends. Throws RESOURCE_NOT_FOUND, PERMISSION_DENIED for a role
 * above one's own and while the member is restricted, VALIDATION_ERROR for an invitation that was accepted, withdrawn or declined, and RATE_LIMITED within a minute of the last mail.
 */
export const resendInvitation = verb(
  { permission: "team:write", proof: "manage_team" },
  async (ctx: ProvenContext<"manage_team">, id: string): Promise<Invitation> => {
    await requireUnrestricted(ctx);
    return transaction(async (tx) => {
      await markExecuted(tx, ctx);
      const team = await lockTeam(tx, ctx);
      const invitation = await requireEndable(tx, ctx, team, id);
      if (invitation.sends >= MAX_SENDS)
        throw invalid("id", `This invitation was sent ${MAX_SENDS} times. Withdraw it, and make another one.`);
      const waitMs = invitation.sentAt.getTime() + MIN_BETWEEN_MAILS_MS - Date.now();
      if (waitMs > 0) {
        const waitSeconds = Math.ceil(waitMs / 1_000);
        throw new Problem("RATE_LIMITED", `The invitation was sent a moment ago. Wait ${waitSeconds} s, then send it again.`, {
          headers: { "Retry-After": String(waitSeconds) },
        });
      }
      const token = newToken();
      const [row] = await tx
        .update(invitations)
        .set({
          ...{ tokenHash: hashOfToken(token), sentAt: sql`now()`, expiresAt: linkEnds() },
          ...{ sends: sql`${invitations.sends} + 1`, madeBy: madeBy(ctx) },
        })
        .where(isInvitation(ctx, id))
        .returning();
      if (!row) throw new Error(`the locked invitation ${id} was not found`);
      const sent = invitationFromRow(row, team.roles);
      await mailInvitation(tx, ctx, team, sent, token);
      await noteInAudit(tx, ctx, { businessId: ctx.merchant.businessId, action: "invitation.sent_again", subject: id });
      return sent;
    });
  },
);

/** Withdraws an invitation, so that its link ends. Throws as `resendInvitation` does, except for one that is withdrawn already. */
export const withdrawInvitation = verb({ permission: "team:write" }, async (ctx: MemberContext, id: string): Promise<void> => {
  await transaction(async (tx) => {
    await markExecuted(tx, ctx);
    const team = await lockTeam(tx, ctx);
    const found = await readInvitation(tx, ctx, team, id);
    if (found.state === "withdrawn") return;
    await requireEndable(tx, ctx, team, id);
    await endInvitation(tx, ctx, id);
    const { email, role } = found;
    await noteInAudit(tx, ctx, {
      businessId: ctx.merchant.businessId,
      action: "invitation.withdrawn",
      subject: id,
      before: { email, role },
    });
  });
});
