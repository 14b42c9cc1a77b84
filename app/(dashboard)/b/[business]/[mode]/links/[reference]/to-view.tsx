import type { Fact } from "#components/page/facts.tsx";
import { LINK_STATES, type StateWords } from "#components/page/states.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { CopyId } from "#components/ui/copy-id.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { exactTime } from "#components/ui/time-text.ts";
import { formatMoney } from "#lib/money.ts";
import { plainText } from "#lib/plain-text.ts";
import { readableAddress } from "#lib/readable-host.ts";
import { lagosClock } from "#lib/time.ts";
import type { PaymentLink } from "#services/checkout/index.ts";
import type { MemberContext } from "#services/context.ts";

export const titleOf = ({ description }: PaymentLink): string => description ?? "Payment link";

export function stateOf({ status, recalledAt, refunded, amount }: PaymentLink): StateWords {
  if (recalledAt) return { tone: "danger", word: "Taken back" };
  return refunded.minor >= amount.minor ? { tone: "warning", word: "Refunded" } : LINK_STATES[status];
}

/** Returns the label over the amount, and the one note that matters most in the link's state. */
export function figureOf({ status, paidAt, recalledAt, expiresAt, refunded }: PaymentLink): { label: string; note: string } {
  if (recalledAt) return { label: "Taken back by the bank", note: exactTime(recalledAt) };
  if (status === "success") {
    const paid = paidAt ? exactTime(paidAt) : "";
    return { label: "Paid", note: refunded.minor > 0n ? `${paid}. ${formatMoney(refunded)} of it is refunded` : paid };
  }
  if (status === "expired") return { label: "Not paid", note: `Expired ${exactTime(expiresAt)}` };
  return { label: "Waiting for", note: `Exactly this, once, before ${lagosClock(expiresAt)} in Lagos` };
}

/** Returns the message that a messenger sends with the link. */
export function messageOf({ amount, description }: PaymentLink, business: string, url: string): string {
  return `${formatMoney(amount)} to ${business}${description ? ` for ${description}` : ""}: ${url}`;
}

/** Returns what is known of a link. `linksHref` is the list, `url` the payer's page. */
export function factsOf(link: PaymentLink, ctx: MemberContext, { linksHref, url }: { linksHref: string; url: string }): Fact[] {
  const { reference, orderNo, customerName, customerEmail, callbackUrl, metadata, replaces, replacedBy } = link;
  const other = (to: string | null) => to && <TextLink href={`${linksHref}/${to}`}>{shortOf(to)}</TextLink>;
  return [
    { label: "Reference", value: <CopyId id={reference} what="reference" /> },
    { label: "Order number", value: <CopyId id={orderNo} what="order number" /> },
    { label: "Payment page", value: <Whole text={url} what="address" /> },
    {
      label: "Account",
      value: (
        <>
          <Whole text={link.accountNumber} what="account number" />
          <br />
          {link.bankName}, {plainText(link.accountName)}
        </>
      ),
    },
    { label: "Customer", value: customerName },
    { label: "Customer's email", value: customerEmail },
    { label: "Page after paying", value: callbackUrl && readableAddress(callbackUrl) },
    ...Object.entries(metadata).map(([name, value]) => ({ label: name, value })),
    { label: "Created by", value: makerOf(link, ctx) },
    { label: "Created", value: exactTime(link.createdAt) },
    { label: link.status === "pending" ? "Expires" : "Expiry", value: exactTime(link.expiresAt) },
    { label: "Paid", value: link.paidAt && exactTime(link.paidAt) },
    { label: "Replaces", value: other(replaces) },
    { label: "Replaced by", value: other(replacedBy) },
  ];
}

const Whole = ({ text, what }: { text: string; what: string }) => (
  <>
    <span className="font-mono">{text}</span> <CopyButton text={text} label={`Copy ${what}`} />
  </>
);

const SHOWN = 8;
const shortOf = (reference: string): string => `${reference.slice(0, SHOWN)}…`;

function makerOf({ madeBy }: PaymentLink, { actor }: MemberContext): string {
  switch (madeBy.type) {
    case "member":
      return madeBy.id === actor.id ? "You" : "A member of your business";
    case "api_key":
      return "Your server, through the API";
    case "operator":
    case "cli":
    case "system":
      return "The people who run this service";
  }
}
