import { LINK_WORKS_FOR_MS, type MailWords } from "../mail.ts";
import { endOfLink, greeting, type MailDescription, ownLink } from "./description.ts";

export const removeFactors = ({ name, link }: MailWords["remove_factors"]): MailDescription => ({
  subject: "Remove the second step of your Oja account",
  preheader: "Only your click removes it.",
  paragraphs: [
    greeting(name),
    "A day ago you, or the people who run Oja for you, asked to remove every second step of your account: the authenticator app, all passkeys and the recovery codes.",
    "Nothing is removed until you confirm it on the page of this link. After that your password alone signs in.",
  ],
  button: { label: "Remove the second step", link: ownLink(link) },
  footnote: `The link works for 7 days, until ${endOfLink(LINK_WORKS_FOR_MS.remove_factors)}. If it was not you, do not open it: sign in with your second step, which ends the request.`,
});
