import { LINK_WORKS_FOR_MS, type MailWords } from "../mail.ts";
import { endOfLink, greeting, type MailDescription, ownLink } from "./description.ts";

export const verifyEmail = ({ name, link }: MailWords["verify_email"]): MailDescription => ({
  subject: "Confirm your email address for Oja",
  preheader: "One click, and the address of your new account is confirmed.",
  paragraphs: [
    greeting(name),
    "Somebody, most likely you, made an Oja account with this email address. Confirm that the address is yours.",
  ],
  button: { label: "Confirm email address", link: ownLink(link) },
  footnote: `The link works for 3 days, until ${endOfLink(LINK_WORKS_FOR_MS.verify_email)}. If it was not you, do nothing: the address stays unconfirmed.`,
});
