import type { Money } from "#lib/money.ts";
import type { Classification } from "../payment-link.ts";

interface Expected {
  amount: Money;
  expiresAt: Date;
  /** Whether the link, or another one of the same order, is paid. */
  alreadyPaid: boolean;
}

/**
 * Returns the classification of a transfer to a link. Where several apply the first counts: duplicate, late, underpaid or overpaid, exact.
 */
export function classify(expected: Expected, transfer: { amount: Money; receivedAt: Date }): Classification {
  if (expected.alreadyPaid) return "duplicate";
  if (transfer.receivedAt >= expected.expiresAt) return "late";
  if (transfer.amount.minor < expected.amount.minor) return "underpaid";
  if (transfer.amount.minor > expected.amount.minor) return "overpaid";
  return "exact";
}
