import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { openMailbox } from "#app/_people/mailbox.ts";
import { Mailbox } from "#components/people/mailbox.tsx";
import { settings } from "#lib/env.ts";
import { lagosDateTime } from "#lib/time.ts";
import { listWaitingMails } from "#services/mails/index.ts";

export const metadata: Metadata = { title: "Mailbox" };

export default async function MailboxPage() {
  if ((await openMailbox()) === undefined) notFound();
  const mails = await listWaitingMails();
  const shown = mails.map(({ createdAt, ...mail }) => ({ ...mail, at: `${lagosDateTime(createdAt)} (Lagos)` }));
  return <Mailbox mails={shown} origin={settings().DASHBOARD_URL} />;
}
