import { EXPIRING_FOR_S, LAST_MINUTE_S, LONG_AFTER_S } from "#components/pay/times.ts";
import type { PayView } from "#components/pay/view.ts";
import { fillText, LANGUAGES, type Language, type Words } from "#components/pay/words/index.ts";
import { settings } from "#lib/env.ts";
import { formatMoney, toPlainDigits } from "#lib/money.ts";
import { initialOf, maskedName, plainText } from "#lib/plain-text.ts";
import { qrPath } from "#lib/qr-path.ts";
import { readableHost } from "#lib/readable-host.ts";
import { lagosClock, lagosDateTime, MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import type { PayerView } from "#services/checkout/index.ts";
import { askHrefOf, telHref } from "./ask-href.ts";
import { callbackFor } from "./callback.ts";

/** After this time a paid page is only a receipt, and does not send its reader back to the shop by itself. */
const RETURNS_BY_ITSELF_FOR_MS = 10 * MINUTE_MS;

interface Reader {
  language: Language;
  /** Whether the payer chose the language. Links and forms then keep it. */
  chosen: boolean;
  now: Date;
  /** Whether the reader chose not to be sent back to the shop. */
  stays: boolean;
  /** Whether the bar of test mode is open. */
  isPanelOpen: boolean;
}

/** Returns the view of a link's page, with all text in the reader's language. */
export function toPayView(found: PayerView, { language, chosen, now, stays, isPanelOpen }: Reader): PayView {
  const { link, business, mode, suspended } = found;
  const { words } = LANGUAGES[language];
  const name = plainText(business.name);
  const url = `${settings().BASE_URL}/pay/${link.reference}`;
  const search = chosen ? `?lang=${language}` : "";
  const msLeft = link.expiresAt.getTime() - now.getTime();
  return {
    language,
    words,
    reference: link.reference,
    url,
    search,
    state: stateOf(link.status, suspended),
    testMode: mode === "test",
    isPanelOpen,
    business: { name, initial: initialOf(name), logo: business.logo && `/pay/logos/${business.logo}.webp` },
    supportContacts: contactsOf(business),
    askHref: askHrefOf(business, {
      text: fillText(words, "askText", { name, reference: link.reference }),
      subject: words.askNewLink,
    }),
    amount: formatMoney(link.amount),
    amountDigits: toPlainDigits(link.amount).replace(/\.00$/, ""),
    description: link.description && plainText(link.description),
    bankName: link.bankName,
    accountNumber: link.accountNumber,
    accountName: plainText(link.accountName),
    checkoutUrl: link.checkoutUrl,
    expiresAtMs: link.expiresAt.getTime(),
    expiresAtClock: lagosClock(link.expiresAt),
    urgency: urgencyOf(msLeft / SECOND_MS),
    nowMs: now.getTime(),
    sent: sentOf(found, now),
    newLink: found.replacement && !suspended ? `/pay/${found.replacement}${search}` : null,
    orderIsPaid: link.paidInstead !== null,
    transfersSeen: link.transfers.length,
    messageNumber: found.messageNumber,
    bankIsDown: found.bankIsDown,
    paidAt: link.paidAt && fillText(words, "lagosTime", { time: lagosDateTime(link.paidAt, language) }),
    returnTo: returnOf(found, now, stays),
    returned: link.transfers.flatMap(({ amount, classification, disposition, sentBack }) =>
      disposition === "returned" && classification !== "exact" ? [{ amount: formatMoney(amount), reason: classification, sentBack }] : [],
    ),
    refunds: refundsOf(link, words),
    payment: paymentOf(link),
    qr: link.status === "success" ? qrPath(url) : null,
    embedOrigins: found.embedOrigins,
    version: versionOf(found, now),
  };
}

function stateOf(status: PayerView["link"]["status"], suspended: boolean): PayView["state"] {
  if (status === "success") return "paid";
  if (suspended) return "suspended";
  return status === "expired" ? "expired" : "awaiting";
}

function urgencyOf(secondsLeft: number): PayView["urgency"] {
  if (secondsLeft > EXPIRING_FOR_S) return "none";
  return secondsLeft > LAST_MINUTE_S ? "soon" : "now";
}

/** A customer is told of a refund, and never asked for an account here: the address of this page travels by messengers. */
const refundsOf = ({ refunded, refunding }: PayerView["link"], words: Words): string[] => [
  ...(refunded.minor > 0n ? [fillText(words, "refunded", { amount: formatMoney(refunded) })] : []),
  ...(refunding.minor > 0n ? [fillText(words, "refunding", { amount: formatMoney(refunding) })] : []),
];

function paymentOf({ transfers }: PayerView["link"]): PayView["payment"] {
  const paid = transfers.find(({ disposition }) => disposition === "accepted");
  if (!paid) return null;
  const { senderName, senderBank, senderAccountLast4: last4, sessionId } = paid;
  const bank = [senderBank && plainText(senderBank), last4 && `••${last4}`].filter(Boolean).join(" ");
  return { payer: maskedName(plainText(senderName ?? "")) || null, bank: bank || null, sessionId };
}

/** A bank may report a transfer that it received in time up to this long after the link expired. */
export const NEWS_MAY_COME_FOR_MS = 30 * MINUTE_MS;

function sentOf({ sentAt, link }: Pick<PayerView, "sentAt" | "link">, now: Date): PayView["sent"] {
  const isTooLate = link.status === "expired" && now.getTime() - link.expiresAt.getTime() > NEWS_MAY_COME_FOR_MS;
  if (sentAt === null || link.status === "success" || isTooLate) return null;
  return { atMs: sentAt.getTime(), isLong: now.getTime() - sentAt.getTime() > LONG_AFTER_S * SECOND_MS };
}

function returnOf({ link, mode }: PayerView, now: Date, stays: boolean): PayView["returnTo"] {
  const url = link.status === "pending" ? null : callbackFor(link);
  if (url === null) return null;
  const isFresh = link.paidAt !== null && now.getTime() - link.paidAt.getTime() < RETURNS_BY_ITSELF_FOR_MS;
  // A payer who paid twice must stay to read where the second payment went.
  const paidTwice = link.transfers.some(({ classification }) => classification === "duplicate");
  // Anyone with a test key can make a link to any site and mark it paid, so a test page must not redirect by itself.
  return { url, host: readableHost(url), automatic: mode === "live" && isFresh && !stays && !paidTwice };
}

function contactsOf({ supportEmail, supportPhone }: PayerView["business"]): PayView["supportContacts"] {
  return [
    ...(supportPhone ? [{ label: supportPhone, href: telHref(supportPhone) }] : []),
    ...(supportEmail ? [{ label: supportEmail, href: `mailto:${supportEmail}` }] : []),
  ];
}

/**
 * Returns the version of a page: pages of one version read the same. Its last part says whether the payer reported the money as sent. The
 * page's script ignores that part if the payer did so on the page itself.
 */
export function versionOf(
  { link, suspended, bankIsDown, sentAt, replacement }: Pick<PayerView, "link" | "suspended" | "bankIsDown" | "sentAt" | "replacement">,
  now: Date,
): string {
  const back = link.transfers.filter(({ sentBack }) => sentBack).length;
  return [
    link.status,
    link.expiresAt.getTime().toString(36),
    link.transfers.length,
    back,
    `${link.refunded.minor}.${link.refunding.minor}`,
    replacement,
    Number(suspended),
    Number(bankIsDown),
    Number(sentOf({ sentAt, link }, now) !== null),
  ].join("-");
}
