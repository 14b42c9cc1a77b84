import type { Language, Words } from "./words/index.ts";

/** Everything that the payer's page shows, as text and numbers that are ready to show. */
export interface PayView {
  language: Language;
  words: Words;
  reference: string;
  /** The page's full URL, for sharing and for print. */
  url: string;
  /** The query that the page's forms and links keep: `?lang=ha`, or empty. */
  search: string;
  state: "awaiting" | "paid" | "expired" | "suspended";
  testMode: boolean;
  /** The bar of test mode is open. */
  isPanelOpen: boolean;
  business: { name: string; initial: string; logo: string | null };
  supportContacts: { label: string; href: string }[];
  /** Where an expired page asks the merchant for a new link, with the text written: WhatsApp, mail or phone. Null without a contact. */
  askHref: string | null;
  /** `₦5,000.00` to read and `5000` to copy, because some bank apps drop a decimal point. */
  amount: string;
  amountDigits: string;
  description: string | null;
  bankName: string;
  accountNumber: string;
  accountName: string;
  checkoutUrl: string | null;
  expiresAtMs: number;
  /** `14:32`, in Lagos. */
  expiresAtClock: string;
  /** How close the end is: under five minutes, or under one. */
  urgency: "none" | "soon" | "now";
  nowMs: number;
  /** When the payer reported the money as sent. `isLong` says that this was longer than `LONG_AFTER_S` ago. */
  sent: { atMs: number; isLong: boolean } | null;
  /** The address of the page to open instead of this expired one, or null. */
  newLink: string | null;
  /** Whether `newLink` is another link of the same order that has paid it. */
  orderIsPaid: boolean;
  /** The number of transfers that had arrived when the page was made. */
  transfersSeen: number;
  /** The highest number of the payer's messages ("sent" or "not sent"). */
  messageNumber: number;
  bankIsDown: boolean;
  paidAt: string | null;
  returnTo: { url: string; host: string; automatic: boolean } | null;
  /** Transfers that did not pay this link and go back, newest last. */
  /** What was sent back of the payment, and what is on its way: a sentence each. */
  refunds: string[];
  returned: { amount: string; reason: "underpaid" | "overpaid" | "late" | "duplicate"; sentBack: boolean }[];
  /** The transfer that paid, as the bank reported it; the payer's name is masked. Null before the payment. */
  payment: { payer: string | null; bank: string | null; sessionId: string } | null;
  /** For a printed receipt: the page's address as a QR code, an SVG path in a square of `size` modules. */
  qr: { path: string; size: number } | null;
  /** Origins whose pages may frame this one and receive its status. */
  embedOrigins: readonly string[];
  /** Pages of one version read the same. */
  version: string;
}
