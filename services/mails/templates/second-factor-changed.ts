import type { MailWords, SecondFactorChange } from "../mail.ts";
import { greeting, type MailDescription, namedTime, ownLink } from "./description.ts";

/** Each change as a sentence about the account. */
const CHANGES: Record<SecondFactorChange, string> = {
  totp_on: "Codes from an authenticator app were turned on for your Oja account.",
  totp_off: "Codes from an authenticator app were turned off for your Oja account.",
  recovery_codes_renewed: "New recovery codes were made for your Oja account. The earlier ones do not work any more.",
  passkey_added: "A passkey was added to your Oja account.",
  passkey_removed: "A passkey was removed from your Oja account.",
  reset_by_operator: "An operator removed the second factor of your Oja account, with its passkeys and recovery codes.",
};

export const secondFactorChanged = ({ name, change, at, resetLink }: MailWords["second_factor_changed"]): MailDescription => ({
  subject: "How you sign in to Oja was changed",
  preheader: "If it was you, there is nothing to do.",
  paragraphs: [
    greeting(name),
    CHANGES[change],
    "If it was not you, somebody else may be in your account: choose a new password now. That signs out every browser.",
  ],
  facts: [["Time", namedTime(at)]],
  button: { label: "Choose a new password", link: ownLink(resetLink) },
  footnote: "Oja sends this mail after every such change. Nobody at Oja ever asks you for a password or a code.",
});
