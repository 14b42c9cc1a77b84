import { and, eq, gt, sql } from "drizzle-orm";
import { z } from "zod";
import type { Tx } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import { newId } from "#lib/ids.ts";
import { seal } from "#lib/sealed.ts";
import type { Context } from "../context.ts";
import type { MailKind, MailWords } from "./mail.ts";
import { renderMail } from "./render.ts";
import { describeMail } from "./templates/index.ts";

const Recipient = z.email().max(254);

/**
 * Stores a mail in the caller's transaction, sealed. The worker sends it after the commit, and a rollback removes it. Returns its id. Throws
 * an Error if `to` is not one email address, or if a link does not lead to BASE_URL.
 */
export async function queueMail<Kind extends MailKind>(
  tx: Tx,
  _ctx: Context,
  { to, kind, words }: { to: string; kind: Kind; words: MailWords[Kind] },
): Promise<string> {
  // The error of zod would contain the address.
  if (!Recipient.safeParse(to).success) throw new Error("the recipient of a mail must be one email address");
  const id = newId("mail");
  const body = JSON.stringify(renderMail(describeMail(kind, words)));
  await tx.insert(mails).values({ id, recipient: to, kind, sealedBody: seal("mail-body", body, id) });
  return id;
}

/** Returns whether a mail of the kind was queued for an address within the last milliseconds. */
export async function wasQueued(tx: Tx, { to, kind }: { to: string; kind: MailKind }, withinMs: number): Promise<boolean> {
  const rows = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.recipient, to), eq(mails.kind, kind), gt(mails.createdAt, sql`now() - ${withinMs} * interval '1 ms'`)))
    .limit(1);
  return rows.length > 0;
}
