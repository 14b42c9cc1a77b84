import { desc, isNotNull } from "drizzle-orm";
import { db } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import { open } from "#lib/sealed.ts";
import { MailBody } from "./mail.ts";

/** A mail that was not sent yet, with its text. */
interface WaitingMail {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  createdAt: Date;
}

/**
 * Returns the latest waiting mails, newest first, with their links. A reader of them can take over accounts, so only the mailbox of an
 * installation on a developer's own machine may show them.
 */
export async function listWaitingMails(limit = 30): Promise<WaitingMail[]> {
  const rows = await db()
    .select()
    .from(mails)
    .where(isNotNull(mails.sealedBody))
    .orderBy(desc(mails.createdAt), desc(mails.id))
    .limit(limit);
  return rows.map(({ id, recipient, sealedBody, createdAt }) => {
    const { subject, text } = MailBody.parse(JSON.parse(open("mail-body", sealedBody ?? "", id)));
    return { id, recipient, subject, text, createdAt };
  });
}
