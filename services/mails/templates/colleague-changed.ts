import type { ColleagueChange, MailWords } from "../mail.ts";
import { quoted } from "../quoted.ts";
import { greeting, type MailDescription, namedTime, ownLink } from "./description.ts";

/** Each change as the end of a sentence that begins with the colleague. */
const CHANGES: Record<ColleagueChange, string> = {
  password_reset: "chose a new password by a link in a mail.",
  first_factor: "turned two-step sign-in on, with a code by mail.",
  factors_removed: "removed every second step by a link in a mail, so that the password alone signs in.",
  not_me:
    "says that somebody else was in the account. Every browser of it is signed out, and keys and invitations that were made since are stopped.",
};

export const colleagueChanged = ({ name, business, colleague, change, at, teamLink }: MailWords["colleague_changed"]): MailDescription => ({
  subject: "A colleague's account on Oja was changed",
  preheader: "Ask whether it was the colleague who did it.",
  paragraphs: [
    greeting(name),
    `${quoted(colleague) || "A colleague"}, who is in the team of ${quoted(business) || "your business"}, ${CHANGES[change]}`,
    "For 24 hours this account makes no live keys, invites nobody and sees no card number. Ask your colleague, by phone or in person, whether this is right.",
  ],
  facts: [["Time", namedTime(at)]],
  button: { label: "See the team", link: ownLink(teamLink) },
  footnote: "If it was not you who asked for it and your colleague knows nothing of it, remove the colleague from the team.",
});
