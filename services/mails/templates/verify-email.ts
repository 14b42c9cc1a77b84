import { LINK_WORKS_FOR_MS, type MailWords } from "../mail.ts";
import { endOfLink, greeting, type MailDescription, ownLink } from "./description.ts";

export const verifyEmail = ({ name, link }: MailWords["verify_email"]): MailDescription => ({
  subject: "Confirm your email address for Oja",
  preheader: "Open the link and type your password, and your new account is ready.",
  paragraphs: [
    greeting(name),
    "Somebody, most likely you, made an Oja account with this email address. Confirm that the address is yours. The page asks for the password that you chose.",
  ],
  button: { label: "Confirm email address", link: ownLink(link) },
  footnote: `The link works for 3 days, until ${endOfLink(LINK_WORKS_FOR_MS.verify_email)}. If it was not you, do nothing: the address stays unconfirmed.`,
});
