import type { MailWords } from "../mail.ts";
import { greeting, type MailDescription, ownLink } from "./description.ts";

export const emailTaken = ({ name, signInLink, resetLink }: MailWords["email_taken"]): MailDescription => ({
  subject: "You already have an Oja account",
  preheader: "Sign in instead of signing up.",
  paragraphs: [
    greeting(name),
    "Somebody, most likely you, tried to sign up to Oja with this email address. It has an account already, so no new one was made.",
  ],
  button: { label: "Sign in", link: ownLink(signInLink) },
  otherAction: { label: "Choose a new password", link: ownLink(resetLink) },
  footnote: "If it was not you, do nothing: your account did not change.",
});
