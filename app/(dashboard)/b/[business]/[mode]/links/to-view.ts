import type { LinkRow } from "#components/links/links-list.tsx";
import type { PaymentLink } from "#services/checkout/index.ts";

/** Returns what the list shows of a link. */
export const toLinkRow = (
  { reference, description, customerName, customerEmail, status, amount, createdAt }: PaymentLink,
  path: string,
): LinkRow => ({
  ...{ reference, description, status, amount, createdAt },
  href: `${path}/${reference}`,
  customer: customerName ?? customerEmail,
});
