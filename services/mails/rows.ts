import { sql } from "#db/client.ts";
import type { FailureClass } from "./failure.ts";
import type { MailKind } from "./mail.ts";

/** A mail that this process has the lease of. */
export interface ClaimedMail {
  id: string;
  kind: MailKind;
  recipient: string;
  sealedBody: string;
  /** Attempts with this one. Also the fencing token: a later attempt has another number. */
  attempts: number;
  ageMs: number;
}

/**
 * Claims the oldest due mail for `leaseMs`: ordinary mails first, then those of sign-ups, then payment news, because strangers can cause the last two. Skips rows that another process claims at the same time.
 */
export async function claimDueMail(leaseMs: number): Promise<ClaimedMail | undefined> {
  const [row] = await sql()<ClaimedMail[]>`
    update mails set attempts = attempts + 1, next_attempt_at = now() + ${leaseMs} * interval '1 ms'
    where id = (
      select id from mails where next_attempt_at <= now()
      order by case when kind in ('news', 'summary') then 2 when kind in ('verify_email', 'email_taken') then 1 else 0 end, next_attempt_at limit 1 for update skip locked)
    returning id, kind, recipient, sealed_body as "sealedBody", attempts,
      (extract(epoch from now() - created_at) * 1000)::float8 as "ageMs"`;
  return row;
}

/** Marks a mail as sent and erases its body. A mail that the server took counts as sent, even if its lease has expired since. */
export async function markSent({ id }: ClaimedMail): Promise<void> {
  await sql()`
    update mails set sent_at = now(), next_attempt_at = null, sealed_body = null, last_error = null
    where id = ${id} and next_attempt_at is not null`;
}

/** Sets the next attempt. Changes nothing if the lease was superseded. */
export async function retryLater({ id, attempts }: ClaimedMail, failure: FailureClass, waitMs: number): Promise<void> {
  await sql()`
    update mails set next_attempt_at = now() + ${waitMs} * interval '1 ms', last_error = ${failure}
    where id = ${id} and attempts = ${attempts} and next_attempt_at is not null`;
}
