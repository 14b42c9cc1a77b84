import { settings } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { open } from "#lib/sealed.ts";
import type { SmtpServer } from "#lib/smtp.ts";
import { SECOND_MS } from "#lib/time.ts";
import type { SystemContext } from "../context.ts";
import { verb } from "../verb.ts";
import { type FailureClass, failureClassOf, isFinal } from "./failure.ts";
import { giveUp } from "./give-up.ts";
import { MailBody, maxAgeMs } from "./mail.ts";
import { nextWaitMs } from "./retry-table.ts";
import { type ClaimedMail, claimDueMail, markSent, retryLater } from "./rows.ts";
import { MAX_ATTEMPT_MS, submitMail } from "./transport.ts";

/** Longer than an attempt and its marking, so that no other process claims a mail while it is sent. */
const LEASE_MS = MAX_ATTEMPT_MS + 40 * SECOND_MS;
/** This many are sent at the same time, so that a server that hangs for one mail does not stop the others. */
const LANES = 4;

/**
 * Sends up to `limit` due mails. Returns how many it tried. Without SMTP_URL it does nothing, and the mails wait. Each mail is claimed
 * by a lease, sent outside of any transaction, and then marked: a crash between the last two sends it a second time, and no crash loses it.
 * An attempt ends after `maxAttemptMs`.
 */
export const sendDueMails = verb(
  { actor: ["system"] },
  async (_ctx: SystemContext, limit: number = 20, maxAttemptMs: number = MAX_ATTEMPT_MS): Promise<number> => {
    const server = settings().SMTP_URL;
    if (!server) return 0;
    let claims = 0;
    let attended = 0;
    const lane = async () => {
      while (claims < limit) {
        claims++;
        const mail = await claimDueMail(LEASE_MS);
        if (!mail) return;
        attended++;
        await attend(server, mail, maxAttemptMs);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return attended;
  },
);

async function attend(server: SmtpServer, mail: ClaimedMail, maxAttemptMs: number): Promise<void> {
  const failure = await attempt(server, mail, maxAttemptMs);
  const { id, kind, attempts } = mail;
  if (failure === undefined) {
    await markSent(mail);
    log().info({ mail: id, kind, attempts }, "a mail was sent");
    return;
  }
  const waitMs = isFinal(failure) ? undefined : nextWaitMs(attempts);
  if (waitMs !== undefined) {
    await retryLater(mail, failure, waitMs);
    log().warn({ mail: id, kind, attempts, failure, waitMs }, "a mail was not sent, and is tried again");
  } else if (await giveUp(mail, failure)) log().error({ mail: id, kind, attempts, failure }, "a mail was given up");
}

/** Sends a mail. Returns the class of its failure, or undefined if the server took it. */
async function attempt(server: SmtpServer, mail: ClaimedMail, maxAttemptMs: number): Promise<FailureClass | undefined> {
  const maxAge = maxAgeMs(mail.kind);
  if (maxAge !== undefined && mail.ageMs >= maxAge) return "link_ended";
  try {
    const body = MailBody.parse(JSON.parse(open("mail-body", mail.sealedBody, mail.id)));
    await submitMail(server, { ...body, id: mail.id, recipient: mail.recipient }, maxAttemptMs);
    return undefined;
  } catch (error) {
    return failureClassOf(error);
  }
}
