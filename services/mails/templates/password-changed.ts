import type { MailWords } from "../mail.ts";
import { greeting, type MailDescription, ownLink } from "./description.ts";

export const passwordChanged = ({ name, resetLink }: MailWords["password_changed"]): MailDescription => ({
  subject: "Your Oja password was changed",
  preheader: "If it was you, there is nothing to do.",
  paragraphs: [
    greeting(name),
    "The password of your Oja account was changed. If it was you, there is nothing to do.",
    "If it was not you, somebody else may be in your account: choose a new password now.",
  ],
  button: { label: "Choose a new password", link: ownLink(resetLink) },
  footnote: "Oja sends this mail after every change of your password. Nobody at Oja ever asks you for it.",
});
