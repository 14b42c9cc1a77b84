/** All that the payer's page shows, in words and numbers that need no more work. */
export interface PayView {
  reference: string;
  state: "awaiting" | "paid" | "expired" | "suspended";
  testMode: boolean;
  businessName: string;
  supportContact: { label: string; href: string } | null;
  /** `₦5,000.00` and `5000.00`. */
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
  nowMs: number;
  paidAt: string | null;
  returnTo: { url: string; host: string; automatic: boolean } | null;
  /** Money that came and went back, newest last. */
  returned: { amount: string; reason: "underpaid" | "overpaid" | "late" | "duplicate" }[];
  /** Changes whenever the page would read differently. */
  version: string;
}
