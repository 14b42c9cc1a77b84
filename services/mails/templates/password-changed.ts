import type { MailWords } from "../mail.ts";
import { greeting, type MailDescription, NOT_ME, ownLink } from "./description.ts";

export const passwordChanged = ({ name, notMeLink }: MailWords["password_changed"]): MailDescription => ({
  subject: "Your Oja password was changed",
  preheader: "If it was you, there is nothing to do.",
  paragraphs: [greeting(name), "The password of your Oja account was changed. If it was you, there is nothing to do.", NOT_ME],
  button: { label: "This was not me", link: ownLink(notMeLink) },
  footnote: "Oja sends this mail after every change of your password. Nobody at Oja ever asks you for it.",
});
