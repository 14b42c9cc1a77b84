import { LINK_WORKS_FOR_MS, type MailWords } from "../mail.ts";
import { endOfLink, greeting, type MailDescription, ownLink } from "./description.ts";

export const firstFactorCode = ({ name, code, securityLink }: MailWords["first_factor_code"]): MailDescription => ({
  subject: "Your code for two-step sign-in",
  preheader: "It works for 15 minutes.",
  paragraphs: [greeting(name), "Type this code on the page on which you turn two-step sign-in on. It shows that the mailbox is yours."],
  facts: [["Code", code]],
  button: { label: "Open Your security", link: ownLink(securityLink) },
  footnote: `The code works until ${endOfLink(LINK_WORKS_FOR_MS.first_factor_code)}, in the browser that asked for it. If it was not you, somebody knows your password: change it, and give this code to nobody.`,
});
