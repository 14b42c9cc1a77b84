import { and, eq, isNotNull, sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import { raiseOperatorAlert } from "../alerts/index.ts";
import type { FailureClass } from "./failure.ts";
import type { ClaimedMail } from "./rows.ts";

const REASONS: Record<FailureClass, string> = {
  refused: "the server refused the recipient or the mail",
  deferred: "the server refused it for now, at each attempt",
  rejected: "the server refused us or our sender, at each attempt (MAIL_FROM, SMTP_URL)",
  sign_in: "the server refused our user or password, at each attempt (SMTP_URL)",
  unreachable: "the server was not reached, at any attempt (SMTP_URL)",
  timeout: "the server did not answer in time, at any attempt",
  tls: "no encrypted connection could be made, at any attempt (SMTP_URL)",
  unreadable: "its body was sealed with another key (OJA_SECRET_KEY)",
  link_ended: "it was too old before it could be sent: its link had ended, or its news was of yesterday",
  unknown: "the attempts failed for a reason that is not known",
};

/**
 * Gives a mail up, erases its body and alerts operators. Changes nothing if the lease was superseded. Alerts name kind and reason, so equal
 * ones are stored once in 24 hours: strangers who sign up with wrong addresses cannot flood operators. The log names each mail. Returns
 * whether the mail was given up.
 */
export async function giveUp({ id, kind, attempts }: ClaimedMail, failure: FailureClass): Promise<boolean> {
  return transaction(async (tx) => {
    const rows = await tx
      .update(mails)
      .set({ failedAt: sql`now()`, nextAttemptAt: null, sealedBody: null, lastError: failure })
      .where(and(eq(mails.id, id), eq(mails.attempts, attempts), isNotNull(mails.nextAttemptAt)))
      .returning({ id: mails.id });
    if (rows.length === 0) return false;
    // Of equal alerts at the same time only one is stored, because each transaction checks for the others under this lock.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('mail.failed', 0))`);
    // Mails belong to people, who are in both modes. Operators see the alerts of both.
    await raiseOperatorAlert(tx, "live", {
      type: "mail.failed",
      resourceId: kind,
      message: `A mail (${kind}) was not sent: ${REASONS[failure]}. The log names it, and others of this kind and reason.`,
    });
    return true;
  });
}
