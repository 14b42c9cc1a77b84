import { and, eq, gt, inArray, sql } from "drizzle-orm";
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
 * an Error if `to` is not one email address, or if a link does not lead to DASHBOARD_URL.
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

/** Returns how many mails of some kinds were queued for an address within the last milliseconds. */
export function countQueued(tx: Tx, { to, kinds }: { to: string; kinds: MailKind[] }, withinMs: number): Promise<number> {
  const isYoung = gt(mails.createdAt, sql`now() - ${withinMs} * interval '1 ms'`);
  return tx.$count(mails, and(eq(mails.recipient, to), inArray(mails.kind, kinds), isYoung));
}
