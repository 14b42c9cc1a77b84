import type { MailWords } from "../mail.ts";
import { quoted, quotedAddress } from "../quoted.ts";
import { greeting, type MailDescription, namedTime, ownLink } from "./description.ts";

export function newDevice({ name, address, browser, at, sessionsLink }: MailWords["new_device"]): MailDescription {
  const shown: [label: string, value: string][] = [
    ["Browser", quoted(browser ?? "")],
    ["Address", quotedAddress(address ?? "")],
    ["Time", namedTime(at)],
  ];
  return {
    subject: "New sign-in to your Oja account",
    preheader: "If it was you, there is nothing to do.",
    paragraphs: [greeting(name), "Somebody signed in to your Oja account with a new browser."],
    facts: shown.filter(([, value]) => value !== ""),
    button: { label: "See your sessions", link: ownLink(sessionsLink) },
    footnote: "If it was you, there is nothing to do. If it was not you, end that session and change your password.",
  };
}
