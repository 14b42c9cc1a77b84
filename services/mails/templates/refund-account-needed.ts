import { formatMoney } from "#lib/money.ts";
import type { MailWords } from "../mail.ts";
import { quoted } from "../quoted.ts";
import { greeting, type MailDescription, namedTime, ownLink } from "./description.ts";

export const refundAccountNeeded = ({
  name,
  business,
  orderNo,
  amount,
  expiresAt,
  isTest,
  link,
}: MailWords["refund_account_needed"]): MailDescription => ({
  subject: `${isTest ? "Test: " : ""}Where shall your refund of ${formatMoney(amount)} go?`,
  preheader: "Name your bank account, once.",
  paragraphs: [
    greeting(name),
    `${quoted(business) || "A business"} sends back ${formatMoney(amount)} of a payment that you made. Your bank has not told the account that you paid from, so we ask you for it.`,
    "Name an account in the name that the payment came from. With another name, the business decides first.",
    ...(isTest ? ["This is a test: no money was paid, and none is sent."] : []),
  ],
  facts: [
    ["Order", orderNo],
    ["Refund", formatMoney(amount)],
    ["Possible until", namedTime(expiresAt)],
  ],
  button: { label: "Name your account", link: ownLink(link) },
  footnote:
    "The button works once. We ask for a bank and an account number, and for nothing else: nobody needs your PIN, your password or a code for a refund. If it was not you who paid, do nothing.",
});
