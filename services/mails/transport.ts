import type { SMTPTransportOptions } from "nodemailer/lib/smtp-transport";
import { settings } from "#lib/env.ts";
import type { SmtpServer } from "#lib/smtp.ts";
import { SECOND_MS } from "#lib/time.ts";
import type { MailBody } from "./mail.ts";

/** The limit of one attempt, however slow the server is. */
export const MAX_ATTEMPT_MS = 20 * SECOND_MS;

/** A mail to send. */
export interface OutgoingMail extends MailBody {
  id: string;
  recipient: string;
}

function optionsFor({ host, port, encryption, signIn }: SmtpServer, limitMs: number): SMTPTransportOptions {
  return {
    host,
    port,
    secure: encryption === "tls",
    requireTLS: encryption === "starttls",
    ignoreTLS: encryption === "none",
    auth: signIn && { user: signIn.user, pass: signIn.password },
    connectionTimeout: limitMs / 2,
    greetingTimeout: limitMs / 2,
    dnsTimeout: limitMs / 2,
    socketTimeout: limitMs / 2,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  };
}

/**
 * Sends a mail to the server, on a connection of its own. Each attempt of a mail has the same Message-ID, by which a mailbox may recognise
 * the second copy. Throws the transport's error, which may contain the address and the server's words: log `failureClassOf` of it only.
 */
export async function submitMail(server: SmtpServer, { id, recipient, subject, text, html }: OutgoingMail, limitMs: number): Promise<void> {
  // Only the worker sends mails, so web processes do not load the library.
  const { createTransport } = await import("nodemailer");
  const { MAIL_FROM } = settings();
  const transport = createTransport(optionsFor(server, limitMs));
  await transport.sendMail({
    from: MAIL_FROM,
    to: { name: "", address: recipient },
    envelope: { from: MAIL_FROM.address, to: [recipient] },
    messageId: `<${id}@${MAIL_FROM.address.slice(MAIL_FROM.address.indexOf("@") + 1)}>`,
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    subject,
    text,
    html,
    signal: AbortSignal.timeout(limitMs),
  });
}
