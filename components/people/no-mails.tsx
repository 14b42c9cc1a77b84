import { TextLink } from "#components/ui/text-link.tsx";

/** The mailbox of an installation that sends no mails. `href` is there for a browser that has its key. */
export interface MailboxView {
  href: string | undefined;
}

/** Tells a developer where to read the mails if the installation has no mail server. */
export function NoMails({ mailbox }: { mailbox: MailboxView | undefined }) {
  if (!mailbox) return null;
  return (
    <p>
      This installation sends no mails.{" "}
      {mailbox.href === undefined ? (
        "Its start has printed the address of its mailbox."
      ) : (
        <TextLink href={mailbox.href}>Open its mailbox</TextLink>
      )}
    </p>
  );
}
