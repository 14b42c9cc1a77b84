import { may } from "#app/(dashboard)/_page/may.ts";
import type { Fact } from "#components/page/facts.tsx";
import type { TimelineEntry } from "#components/page/timeline.tsx";
import { phoneText, recipientText } from "#components/top-ups/numbers.ts";
import type { ReceiptView } from "#components/top-ups/receipt.tsx";
import { pinsText, type SecretsView, tokenText } from "#components/top-ups/secrets.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { CopyId } from "#components/ui/copy-id.tsx";
import { exactTime } from "#components/ui/time-text.ts";
import { formatMoney } from "#lib/money.ts";
import { guessNetwork } from "#lib/phone.ts";
import { MINUTE_MS } from "#lib/time.ts";
import type { MemberContext } from "#services/context.ts";
import { rolesWith } from "#services/members/index.ts";
import type { VisiblePurchase } from "#services/vtu/index.ts";
import { whatWasBought } from "../to-view.ts";

/** Returns the receipt of a purchase. */
export function toReceipt(ctx: MemberContext, purchase: VisiblePurchase, path: string, now: Date): ReceiptView {
  const { status, amount, refunded, units } = purchase;
  return {
    ...{ title: whatWasBought(purchase), backHref: path, business: ctx.merchant.businessName, status, amount, units },
    sentence: sentenceOf(purchase, now),
    refunded: refunded.minor > 0n ? refunded : undefined,
    secrets: secretsOf(ctx, purchase),
    facts: factsOf(purchase),
    timeline: timelineOf(purchase),
  };
}

/** A purchase that is processing for longer than this is shown as undecided and no longer as on its way. */
const LONG_MS = MINUTE_MS;

function sentenceOf(purchase: VisiblePurchase, now: Date): string {
  const { status, recipient, refunded, failureReason, createdAt, quantity } = purchase;
  const back = `${formatMoney(refunded)} is back in your wallet.`;
  const whom = recipient ? ` to ${recipientText(recipient)}` : "";
  switch (status) {
    case "processing":
      return now.getTime() - createdAt.getTime() > LONG_MS
        ? "The provider has not said yet what became of it. We go on asking. Do not buy it again: this page will tell you, and if it was not delivered the money comes back by itself."
        : "It is on its way. Do not buy it again: this page will tell you.";
    case "success":
      if (refunded.minor === 0n) return [`Delivered${whom}.`, belowOf(purchase)].filter(Boolean).join(" ");
      return `A part was delivered: ${quantity - missingOf(purchase)} of ${quantity}. ${back}`;
    case "failed":
      return [`Not delivered${whom}.`, failureReason, back, networkHint(purchase)].filter(Boolean).join(" ");
    case "reversed":
      return `The provider took it back after it was delivered. ${back}`;
  }
}

function belowOf({ secrets, service, quantity }: VisiblePurchase): string {
  if (typeof secrets === "string" || secrets.tokens.length + secrets.pins.length === 0) return "";
  if (service === "electricity") return secrets.tokens.length > 1 ? "The tokens are below." : "The token is below.";
  return quantity > 1 ? "The pins are below." : "The pin is below.";
}

/** Returns how many pins were not delivered, computed from the part of the price that was refunded. */
const missingOf = ({ amount, refunded, quantity }: VisiblePurchase): number => Number((refunded.minor * BigInt(quantity)) / amount.minor);

/** Returns a hint about the network of a failed purchase. It may be wrong, because numbers are ported between networks. */
function networkHint({ service, recipient, productName }: VisiblePurchase): string {
  if (recipient === null || (service !== "airtime" && service !== "data")) return "";
  const network = guessNetwork(recipient);
  if (!network || productName.toLowerCase().startsWith(network)) return "";
  return `Numbers like this were given out by ${network === "9mobile" ? "9mobile" : network.toUpperCase()}: check the network.`;
}

const ROLE_NAMES = { owner: "owners", admin: "admins", developer: "developers", support: "support", viewer: "viewers" } as const;

function secretsOf(ctx: MemberContext, { id, secrets, hasSecrets }: VisiblePurchase): SecretsView {
  if (!hasSecrets) return { state: "none" };
  if (secrets === "unavailable") return { state: "unavailable", reference: id };
  if (secrets !== "withheld" && may(ctx, "vtu:tokens")) return { state: "shown", ...secrets };
  const names = rolesWith("vtu:tokens", ctx.merchant.mode).map((role) => ROLE_NAMES[role]);
  return { state: "withheld", whoMay: `Only ${names.slice(0, -1).join(", ")} and ${names.at(-1)} can see it.` };
}

const NUMBERS = { airtime: "Phone", data: "Phone", cable: "Smart card", electricity: "Meter", exam: "Recipient" } as const;

function factsOf({ id, service, recipient, variant, quantity, createdAt, completedAt, metadata }: VisiblePurchase): Fact[] {
  return [
    { label: "Reference", value: <Reference id={id} /> },
    { label: NUMBERS[service], value: recipient && recipientText(recipient) },
    { label: "Kind", value: variant === "VTU" ? null : variant },
    { label: "Quantity", value: quantity > 1 ? quantity : null },
    { label: "Bought", value: exactTime(createdAt) },
    { label: "Settled", value: completedAt && exactTime(completedAt) },
    ...Object.entries(metadata).map(([label, value]) => ({ label, value })),
  ];
}

/** Prints the whole reference, because the copy button does not work on paper. */
const Reference = ({ id }: { id: string }) => (
  <>
    <span className="print:hidden">
      <CopyId id={id} what="reference" />
    </span>
    <span className="hidden font-mono print:inline">{id}</span>
  </>
);

function timelineOf(purchase: VisiblePurchase): TimelineEntry[] {
  const { amount, refunded, createdAt, completedAt } = purchase;
  const bought: TimelineEntry = {
    ...{ key: "bought", at: createdAt, text: "Bought" },
    figure: <Amount minor={-amount.minor} currency="NGN" signed />,
    detail: "The money was set aside in your wallet.",
  };
  if (!completedAt) return [bought];
  const figure = refunded.minor > 0n && <Amount minor={refunded.minor} currency="NGN" signed />;
  return [{ key: "settled", at: completedAt, ...endOf(purchase), figure }, bought];
}

function endOf({ status, refunded }: VisiblePurchase): Pick<TimelineEntry, "text" | "tone" | "detail"> {
  if (status === "failed") return { text: "Not delivered", tone: "danger", detail: "The whole price came back." };
  if (status === "reversed") return { text: "Taken back by the provider", tone: "warning", detail: "What you had paid came back." };
  if (refunded.minor > 0n) return { text: "Delivered in part", tone: "warning", detail: "The price of what did not come is back." };
  return { text: "Delivered", tone: "success" };
}

/** Returns links that send a receipt, with its tokens or pins if the reader may see them. WhatsApp opens the chat of the phone topped up. */
export function sendHrefsOf(purchase: VisiblePurchase): { whatsAppHref: string; smsHref: string } {
  const { service, recipient } = purchase;
  const phone = recipient && (service === "airtime" || service === "data") ? recipient : "";
  const text = encodeURIComponent(textOf(purchase));
  return { whatsAppHref: `https://wa.me/${phone.replace("+", "")}?text=${text}`, smsHref: `sms:${phone}?&body=${text}` };
}

const STATES = { processing: "on its way", success: "delivered", failed: "not delivered", reversed: "taken back by the provider" } as const;

function textOf(purchase: VisiblePurchase): string {
  const { id, recipient, status, amount, units, secrets } = purchase;
  const shown = typeof secrets === "string" ? undefined : secrets;
  return [
    `${whatWasBought(purchase)}, ${formatMoney(amount)}: ${STATES[status]}`,
    recipient && `For ${recipient.startsWith("+") ? phoneText(recipient) : recipientText(recipient)}`,
    ...(shown?.tokens.map((token) => `Token ${tokenText(token)}`) ?? []),
    shown && shown.tokens.length > 0 && units,
    shown && shown.pins.length > 0 && pinsText(shown.pins),
    `Reference ${id}`,
  ]
    .filter(Boolean)
    .join("\n");
}
