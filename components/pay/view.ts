import type { Language, Words } from "./words/index.ts";

/** All that the payer's page shows, in words and numbers that need no more work. */
export interface PayView {
  language: Language;
  words: Words;
  reference: string;
  /** This page, as it is shared and printed. */
  url: string;
  /** What forms and links of this page carry on: `?lang=ha`, or nothing. */
  search: string;
  state: "awaiting" | "paid" | "expired" | "suspended";
  testMode: boolean;
  business: { name: string; initial: string; logo: string | null };
  supportContacts: { label: string; href: string }[];
  /** `₦5,000.00` and `5000`: some banks' apps drop a point that they are given. */
  amount: string;
  amountDigits: string;
  description: string | null;
  bankName: string;
  accountNumber: string;
  accountName: string;
  checkoutUrl: string;
  expiresAtMs: number;
  /** `14:32`, in Lagos. */
  expiresAtClock: string;
  isExpiring: boolean;
  nowMs: number;
  /** The payer has said that the money is sent; `isLong` when that was a while ago. */
  sent: { atMs: number; isLong: boolean } | null;
  /** How many transfers this page shows or has shown. */
  transfersSeen: number;
  bankIsDown: boolean;
  paidAt: string | null;
  returnTo: { url: string; host: string; automatic: boolean } | null;
  /** Money that came and is not for this payment, newest last. */
  returned: { amount: string; reason: "underpaid" | "overpaid" | "late" | "duplicate"; sentBack: boolean }[];
  /** Of a receipt, for paper: the page's address as a QR code, a path in a square of `size`. */
  qr: { path: string; size: number } | null;
  /** Origins whose pages may frame this one, and are told how it goes. */
  embedOrigins: readonly string[];
  /** Changes whenever the page would read differently. */
  version: string;
}
