import type { MailWords } from "../mail.ts";
import { quoted } from "../quoted.ts";
import { greeting, type MailDescription, namedTime, ownLink } from "./description.ts";

export const bankAccountAdded = ({
  name,
  business,
  bankName,
  number,
  accountName,
  usableAt,
  removeLink,
}: MailWords["bank_account_added"]): MailDescription => ({
  subject: "A bank account was added for payouts",
  preheader: "If nobody of you added it, remove it now.",
  paragraphs: [
    greeting(name),
    `A bank account was added to ${quoted(business) || "your business"} on Oja. From the time below, money of the business can be paid out to it.`,
    "If you or a colleague added it, there is nothing to do. If it was not you or a colleague, remove it: somebody else may be in an account of your team.",
  ],
  facts: [
    ["Bank", quoted(bankName)],
    ["Account", `ends in ${number}`],
    ["Owner", quoted(accountName)],
    ["Usable from", namedTime(usableAt)],
  ],
  button: { label: "Remove this account", link: ownLink(removeLink) },
  footnote: "The button works for 30 days, without signing in. It only removes: it can neither add an account nor move money.",
});
