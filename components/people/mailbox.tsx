import { TextLink } from "#components/ui/text-link.tsx";

interface MailboxProps {
  mails: { id: string; recipient: string; subject: string; text: string; at: string }[];
  /** Links to this origin can be clicked. */
  origin: string;
}

/** The mails of an installation that has no mail server, so that a developer can read them here. */
export function Mailbox({ mails, origin }: MailboxProps) {
  return (
    <main className="mx-auto w-full max-w-[45rem] px-4 py-8 sm:px-6">
      <h1>Mailbox</h1>
      <p className="mt-1 text-muted">
        Mails that this installation would send, newest first. Only this machine can see them. Set SMTP_URL to send mails.
      </p>
      {mails.length === 0 && (
        <p className="mt-8 border-t border-line pt-6">There are no mails yet. Create an account, and its mail comes here.</p>
      )}
      <ul className="mt-8 flex flex-col gap-6">
        {mails.map(({ id, recipient, subject, text, at }) => (
          <li key={id} className="border-t border-line pt-4">
            <h2 className="font-semibold">{subject}</h2>
            <p className="text-fact text-muted wrap-anywhere">
              To {recipient} · {at}
            </p>
            <p className="mt-3 wrap-anywhere whitespace-pre-line">{withLinks(text, origin)}</p>
          </li>
        ))}
      </ul>
    </main>
  );
}

const withLinks = (text: string, origin: string) =>
  text.split(/(https?:\/\/\S+)/).map((part) =>
    part.startsWith(`${origin}/`) ? (
      <TextLink key={part} href={part}>
        {part}
      </TextLink>
    ) : (
      part
    ),
  );
