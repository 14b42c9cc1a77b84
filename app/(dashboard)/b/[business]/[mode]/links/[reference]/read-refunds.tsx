import { payoutOwnerOf } from "#app/(dashboard)/_money-out/payout-owner.ts";
import { may, mayChange } from "#app/(dashboard)/_page/may.ts";
import { namer } from "#app/(dashboard)/_page/namer.ts";
import type { RefundRow } from "#components/links/refunds.tsx";
import { REFUND_STATES } from "#components/page/states.tsx";
import { exactTime } from "#components/ui/time-text.ts";
import { money } from "#lib/money.ts";
import { plainText } from "#lib/plain-text.ts";
import { findRefundWay, listRefundsOfLink, type PaymentLink, type Refund, type RefundWay } from "#services/checkout/index.ts";
import type { MemberContext } from "#services/context.ts";
import { getWallet } from "#services/ledger/index.ts";
import { DecideRefund } from "./decide-refund.tsx";
import { RefundPayment } from "./refund-payment.tsx";

/** More refunds than a payment can have. */
const MAX_SHOWN = 100;

/** Returns the refunds of a link as rows, the button that makes one, and whether one of them still changes. */
export async function readRefunds(ctx: MemberContext, base: string, link: PaymentLink) {
  if (link.status !== "success") return { rows: [], button: undefined, isWaiting: false };
  const refunds = await listRefundsOfLink(ctx, link.id, MAX_SHOWN);
  const isOpen = refunds.some(({ status }) => status === "needs_account" || status === "processing");
  const mayRefund = mayChange(ctx, "refunds:write");
  const owner = mayRefund ? await payoutOwnerOf(ctx, base) : undefined;
  const nameOf = await namer(ctx);
  const rows = refunds.map((refund): RefundRow => {
    const { id, amount, status, reason, madeBy, createdAt } = refund;
    return {
      ...{ id, amount, reason, createdAt, state: REFUND_STATES[status], text: textOf(refund, link), madeBy: nameOf(madeBy) },
      actions:
        status === "needs_account" && (owner ? <DecideRefund {...{ id, amount, owner }} account={accountFor(ctx, refund, link)} /> : null),
    };
  });
  return { rows, button: owner && (await buttonOf(ctx, link, owner, refunds)), isWaiting: isOpen };
}

type Owner = Awaited<ReturnType<typeof payoutOwnerOf>>;

async function buttonOf(ctx: MemberContext, link: PaymentLink, owner: Owner, refunds: Refund[]) {
  const left = money(link.amount.minor - link.refunded.minor - link.refunding.minor, "NGN");
  const way = await findRefundWay(link);
  if (link.recalledAt !== null || way === "none" || (left.minor <= 0n && refunds.length === 0)) return undefined;
  const { available } = await getWallet(ctx);
  const outcomes = Object.fromEntries(refunds.map(({ id, status }) => [id, status]));
  return <RefundPayment {...{ owner, left, available, outcomes }} reference={link.reference} where={whereOf(link, way)} />;
}

/** Returns where a refund goes, as a sentence. */
function whereOf({ transfers, customerEmail }: PaymentLink, way: Exclude<RefundWay, "none">): string {
  if (way === "mail") return `The bank does not tell the payer's account, so we ask ${customerEmail} for it by mail, for 72 hours.`;
  const paid = transfers.find(({ disposition }) => disposition === "accepted");
  const account = [paid?.senderBank, paid?.senderAccountLast4 && `••${paid.senderAccountLast4}`].filter(Boolean).join(" ");
  const name = paid?.senderName ? ` of ${plainText(paid.senderName)}` : "";
  return `The bank sends it back to the account that it came from${account || name ? `: ${account}${name}` : ""}.`;
}

/** Returns the account that waits for an owner, where the reader may agree to it. */
function accountFor(ctx: MemberContext, refund: Refund, link: PaymentLink) {
  const { awaitsOwner, accountName } = refund;
  return awaitsOwner && accountName !== null && may(ctx, "refunds:confirm")
    ? { to: accountOf(refund), name: plainText(accountName), why: whyAsked(link) }
    : undefined;
}

const accountOf = ({ bankName, accountNumber }: Refund): string => `${bankName} ••${accountNumber?.slice(-4)}`;

/** Returns why an owner decides about an account. */
const whyAsked = ({ transfers }: PaymentLink): string =>
  transfers.some(({ disposition, senderName }) => disposition === "accepted" && senderName !== null)
    ? "That is not the name that the payment came from."
    : "The bank did not tell who paid.";

/** Returns what became of a refund, or what it waits for. */
function textOf(refund: Refund, link: PaymentLink): string {
  const { customerEmail } = link;
  const { status, awaitsOwner, expiresAt, accountName, paidAt, failureReason, route } = refund;
  const to =
    route === "bank" || accountName === null ? "the account that it came from" : `${accountOf(refund)} of ${plainText(accountName)}`;
  switch (status) {
    case "needs_account": {
      const until = expiresAt ? exactTime(expiresAt) : "then";
      if (!awaitsOwner) return `We asked ${customerEmail} for an account by mail. The link works until ${until}.`;
      return `The customer wants it in ${to}. ${whyAsked(link)} An owner decides until ${until}.`;
    }
    case "processing":
      return `On its way to ${to}. The bank has not said yet whether it arrived.`;
    case "paid":
      return `Sent to ${to}${paidAt ? `, ${exactTime(paidAt)}` : ""}.`;
    case "failed":
      return `${failureReason} The money is free in your wallet again.`;
    case "reversed":
      return `${failureReason} The money is in your wallet again.`;
  }
}
