import type { MailWords, SecondFactorChange } from "../mail.ts";
import { greeting, type MailDescription, NOT_ME, namedTime, ownLink } from "./description.ts";

/** Each change as a sentence about the account. */
const CHANGES: Record<SecondFactorChange, string> = {
  totp_on: "Codes from an authenticator app were turned on for your Oja account.",
  totp_off: "Codes from an authenticator app were turned off for your Oja account.",
  recovery_codes_renewed: "New recovery codes were made for your Oja account. The earlier ones do not work any more.",
  passkey_added: "A passkey was added to your Oja account.",
  passkey_removed: "A passkey was removed from your Oja account.",
  passkey_renamed: "A passkey of your Oja account got another name.",
  removal_asked:
    "Somebody with this mailbox asked to remove every second step of your Oja account. A link that does it is mailed in 24 hours. A sign-in with your second step ends the request.",
  removal_asked_by_operator:
    "The people who run Oja were asked to remove every second step of your account. A link that does it is mailed in 24 hours. A sign-in with your second step ends the request.",
  removal_ended: "Somebody signed in to your Oja account with your second step. That ended the request to remove it.",
  removed_by_mail: "Every second step of your Oja account was removed by a link in a mail, with its passkeys and recovery codes.",
};

export const secondFactorChanged = ({ name, change, at, notMeLink }: MailWords["second_factor_changed"]): MailDescription => ({
  subject: "How you sign in to Oja was changed",
  preheader: "If it was you, there is nothing to do.",
  paragraphs: [greeting(name), CHANGES[change], NOT_ME],
  facts: [["Time", namedTime(at)]],
  button: { label: "This was not me", link: ownLink(notMeLink) },
  footnote: "Oja sends this mail after every such change. Nobody at Oja ever asks you for a password or a code.",
});
