import { LINK_WORKS_FOR_MS, type MailWords } from "../mail.ts";
import { endOfLink, greeting, type MailDescription, ownLink } from "./description.ts";

export const resetPassword = ({ name, link }: MailWords["reset_password"]): MailDescription => ({
  subject: "Choose a new password for Oja",
  preheader: "The link works for 30 minutes.",
  paragraphs: [greeting(name), "Somebody, most likely you, asked for a new password for your Oja account."],
  button: { label: "Choose a new password", link: ownLink(link) },
  footnote: `The link works for 30 minutes, until ${endOfLink(LINK_WORKS_FOR_MS.reset_password)}. If it was not you, do nothing: your password stays as it is.`,
});
