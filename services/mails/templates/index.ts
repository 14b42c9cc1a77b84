import type { MailKind, MailWords } from "../mail.ts";
import { bankAccountAdded } from "./bank-account-added.ts";
import { colleagueChanged } from "./colleague-changed.ts";
import type { MailDescription } from "./description.ts";
import { emailTaken } from "./email-taken.ts";
import { firstFactorCode } from "./first-factor-code.ts";
import { invitation } from "./invitation.ts";
import { newDevice } from "./new-device.ts";
import { news, summary } from "./news.ts";
import { passwordChanged } from "./password-changed.ts";
import { refundAccountNeeded } from "./refund-account-needed.ts";
import { removeFactors } from "./remove-factors.ts";
import { resetPassword } from "./reset-password.ts";
import { secondFactorChanged } from "./second-factor-changed.ts";
import { verifyEmail } from "./verify-email.ts";

const TEMPLATES: { [Kind in MailKind]: (words: MailWords[Kind]) => MailDescription } = {
  verify_email: verifyEmail,
  reset_password: resetPassword,
  email_taken: emailTaken,
  password_changed: passwordChanged,
  new_device: newDevice,
  second_factor_changed: secondFactorChanged,
  first_factor_code: firstFactorCode,
  remove_factors: removeFactors,
  colleague_changed: colleagueChanged,
  invitation,
  bank_account_added: bankAccountAdded,
  refund_account_needed: refundAccountNeeded,
  news,
  summary,
};

export const describeMail = <Kind extends MailKind>(kind: Kind, words: MailWords[Kind]): MailDescription => TEMPLATES[kind](words);
