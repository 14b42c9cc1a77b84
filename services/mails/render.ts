import { plainText } from "#lib/plain-text.ts";
import { toHtml } from "./html.ts";
import type { MailBody } from "./mail.ts";
import type { MailDescription } from "./templates/description.ts";

/** Returns a mail's subject, text and HTML. No string of the description can begin a line of its own or affect the text after it. */
export function renderMail(description: MailDescription): MailBody {
  const plain = withPlainText(description);
  return { subject: plain.subject, text: toText(plain), html: toHtml(plain) };
}

function withPlainText({ facts = [], button, otherAction, ...rest }: MailDescription): MailDescription {
  const plainLabel = <T extends { label: string }>(action: T): T => ({ ...action, label: plainText(action.label) });
  return {
    subject: plainText(rest.subject),
    preheader: plainText(rest.preheader),
    paragraphs: rest.paragraphs.map(plainText),
    facts: facts.map(([label, value]) => [plainText(label), plainText(value)]),
    button: plainLabel(button),
    ...(otherAction && { otherAction: plainLabel(otherAction) }),
    footnote: plainText(rest.footnote),
  };
}

function toText({ paragraphs, facts = [], button, otherAction, footnote }: MailDescription): string {
  const actions = [button, ...(otherAction ? [otherAction] : [])].map(({ label, link }) => `${label}:\n${link}`);
  const lines = facts.map(([label, value]) => `${label}: ${value}`).join("\n");
  return `${[...paragraphs, lines, ...actions, footnote].filter(Boolean).join("\n\n")}\n`;
}
