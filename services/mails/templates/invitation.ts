import { LINK_WORKS_FOR_MS, type MailWords } from "../mail.ts";
import { quoted } from "../quoted.ts";
import { endOfLink, type MailDescription, ownLink } from "./description.ts";

export const invitation = ({ name, business, role, link }: MailWords["invitation"]): MailDescription => ({
  subject: "You are invited to a team on Oja",
  preheader: "Sign in with this email address, or sign up with it, to join.",
  paragraphs: [
    "Hello,",
    `${quoted(name) || "A member"} invites you to the team of ${quoted(business) || "a business"} on Oja, with the role ${role}.`,
    "The page asks you to sign in with this email address, or to sign up with it. Nobody else can use the invitation.",
  ],
  button: { label: "See the invitation", link: ownLink(link) },
  footnote: `The link works once, for 7 days, until ${endOfLink(LINK_WORKS_FOR_MS.invitation)}. If you do not know the business, do nothing.`,
});
