import type { MailWords } from "../mail.ts";
import { quoted, withoutLinks } from "../quoted.ts";
import { greeting, type MailDescription, namedTime, ownLink } from "./description.ts";

const CHOOSE = "You chose to be mailed about such things, or your role is. You can choose again at any time.";

export function news({ name, business, title, detail, quote, at, link, choicesLink }: MailWords["news"]): MailDescription {
  return {
    subject: title,
    preheader: `At ${namedTime(at)}.`,
    paragraphs: [greeting(name), `${title}: ${quoted(business) || "your business"} on Oja.`, withoutLinks(detail), quotedFor(quote)],
    facts: [["Time", namedTime(at)]],
    button: { label: "See it", link: ownLink(link) },
    otherAction: { label: "Change your emails", link: ownLink(choicesLink) },
    footnote: CHOOSE,
  };
}

function quotedFor(quote: string | null): string {
  const shown = quoted(quote ?? "");
  return shown === "" ? "" : `For ${shown}.`;
}

export function summary({ name, business, payments, lines, more, link, choicesLink }: MailWords["summary"]): MailDescription {
  const things = lines.length + more;
  const counted = [...(payments ? [payments] : []), ...(things > 0 ? [things === 1 ? "1 other thing" : `${things} other things`] : [])];
  return {
    subject: "What happened at your business on Oja",
    preheader: `${counted.join(", ")}.`,
    paragraphs: [
      greeting(name),
      `This happened at ${quoted(business) || "your business"}:`,
      ...(payments ? [`${payments}.`] : []),
      ...(more > 0 ? [`${lines.length} of ${things} other things, the newest of each kind:`] : []),
    ],
    facts: lines.map(({ title, detail, at }) => [`${title}, ${namedTime(at)}`, withoutLinks(detail)]),
    button: { label: "Open the dashboard", link: ownLink(link) },
    otherAction: { label: "Change your emails", link: ownLink(choicesLink) },
    footnote: CHOOSE,
  };
}
