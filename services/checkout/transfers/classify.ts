import type { Money } from "#lib/money.ts";
import type { Classification } from "../payment-link.ts";

interface Expected {
  amount: Money;
  expiresAt: Date;
  /** Whether the link, or another one of the same order, is paid. */
  alreadyPaid: boolean;
}

/**
 * Returns the classification of a transfer to a link. Where several apply the first counts: duplicate, late, underpaid or overpaid, exact. A transfer
 * whose time is not known came just now.
 */
export function classify(expected: Expected, { amount, receivedAt }: { amount: Money; receivedAt: Date | null }): Classification {
  if (expected.alreadyPaid) return "duplicate";
  if ((receivedAt ?? new Date()) >= expected.expiresAt) return "late";
  if (amount.minor < expected.amount.minor) return "underpaid";
  if (amount.minor > expected.amount.minor) return "overpaid";
  return "exact";
}
