import type { PayView } from "#components/pay/view.ts";
import { formatMoney, toPlainDigits } from "#lib/money.ts";
import { lagosClock, lagosDateTime, MINUTE_MS } from "#lib/time.ts";
import type { PayerView } from "#services/checkout/index.ts";
import { callbackFor } from "./callback.ts";

/** A page opened long after paying is a receipt: it does not send its reader away by itself. */
const RETURNS_BY_ITSELF_FOR_MS = 10 * MINUTE_MS;

export function toPayView({ link, business, mode, suspended }: PayerView, now: Date): PayView {
  const isFresh = link.paidAt !== null && now.getTime() - link.paidAt.getTime() < RETURNS_BY_ITSELF_FOR_MS;
  const returnTo = link.status === "pending" ? null : callbackFor(link);
  return {
    reference: link.reference,
    state: stateOf(link.status, suspended),
    testMode: mode === "test",
    businessName: business.name,
    supportContact: contactOf(business),
    amount: formatMoney(link.amount),
    amountDigits: toPlainDigits(link.amount),
    description: link.description,
    bankName: link.bankName,
    accountNumber: link.accountNumber,
    accountName: link.accountName,
    checkoutUrl: link.checkoutUrl,
    expiresAtMs: link.expiresAt.getTime(),
    expiresAtClock: lagosClock(link.expiresAt),
    nowMs: now.getTime(),
    paidAt: link.paidAt && `${lagosDateTime(link.paidAt)} (Lagos time)`,
    returnTo: returnTo === null ? null : { url: returnTo, host: new URL(returnTo).host, automatic: isFresh },
    returned: link.transfers.flatMap(({ amount, classification, disposition }) =>
      disposition === "returned" && classification !== "exact" ? [{ amount: formatMoney(amount), reason: classification }] : [],
    ),
    version: versionOf({ link, suspended }),
  };
}

function stateOf(status: PayerView["link"]["status"], suspended: boolean): PayView["state"] {
  if (status === "success") return "paid";
  if (suspended) return "suspended";
  return status === "expired" ? "expired" : "awaiting";
}

function contactOf({ supportEmail, supportPhone }: PayerView["business"]): PayView["supportContact"] {
  if (supportEmail) return { label: supportEmail, href: `mailto:${supportEmail}` };
  return supportPhone ? { label: supportPhone, href: `tel:${supportPhone.replace(/[^+\d]/g, "")}` } : null;
}

/** Two pages of one version read the same. */
export function versionOf({ link, suspended }: Pick<PayerView, "link" | "suspended">): string {
  return `${link.status}-${link.transfers.length}${suspended ? "-s" : ""}`;
}
