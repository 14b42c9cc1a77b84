import type { ColleagueChange, MailWords, TeamAct } from "../mail.ts";
import { quoted } from "../quoted.ts";
import { greeting, type MailDescription, namedTime, ownLink } from "./description.ts";

/** Each change as the end of a sentence that begins with the colleague. */
const CHANGES: Record<ColleagueChange, string> = {
  password_reset: "chose a new password by a link in a mail.",
  first_factor: "turned two-step sign-in on, with a code by mail.",
  factors_removed: "removed every second step by a link in a mail, so that the password alone signs in.",
  not_me:
    "says that somebody else was in the account. Every browser of it is signed out. Keys, invitations, webhook endpoints and files of top-ups that came from it since are stopped. Whatever else it changed stays, and is in the log of the business.",
};

/** Returns an act as a label and a value. The names of people are quoted. */
function factOf({ kind, who, from, to }: TeamAct): [label: string, value: string] {
  const person = quoted(who) || "a member";
  switch (kind) {
    case "made_owner":
      return ["Made an owner", `${person}, who was ${from}`];
    case "role_changed":
      return ["Role changed", `${person}, from ${from} to ${to}`];
    case "removed":
      return ["Removed", `${person}, who was ${from}`];
    case "joined":
      return ["Joined by its invitation", `${person}, as ${to}`];
  }
}

const MAX_ACTS = 10;

/** Returns the acts as facts, at most ten of them and how many more there are. */
function factsOf(acts: readonly TeamAct[]): [label: string, value: string][] {
  const more = acts.length - MAX_ACTS;
  const rest: [label: string, value: string][] = more > 0 ? [["And more", `${more} changes, which the log of the business has`]] : [];
  return [...acts.slice(0, MAX_ACTS).map(factOf), ...rest];
}

const ACTS_STAY = "This account has changed the team since. That stays as it is until an owner changes it:";

export const colleagueChanged = ({
  name,
  business,
  colleague,
  change,
  acts,
  at,
  teamLink,
}: MailWords["colleague_changed"]): MailDescription => ({
  subject: "A colleague's account on Oja was changed",
  preheader: "Ask whether it was the colleague who did it.",
  paragraphs: [
    greeting(name),
    `${quoted(colleague) || "A colleague"}, who is in the team of ${quoted(business) || "your business"}, ${CHANGES[change]}`,
    "For 24 hours this account makes no live keys, invites nobody and sees no card number. Ask your colleague, by phone or in person, whether this is right.",
    ...(acts.length > 0 ? [ACTS_STAY] : []),
  ],
  facts: [["Time", namedTime(at)], ...factsOf(acts)],
  button: { label: "See the team", link: ownLink(teamLink) },
  footnote: "If it was not you who asked for it and your colleague knows nothing of it, remove the colleague from the team.",
});
