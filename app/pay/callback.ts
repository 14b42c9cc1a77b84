import type { PaymentLink } from "#services/checkout/index.ts";

/**
 * Returns the merchant's callback URL with `reference` and `status` appended, or null for a link without one. Its own query stays
 * unchanged.
 */
export function callbackFor({ callbackUrl, reference, status }: Pick<PaymentLink, "callbackUrl" | "reference" | "status">): string | null {
  if (callbackUrl === null) return null;
  const url = new URL(callbackUrl);
  const ours = new URLSearchParams({ reference, status }).toString();
  url.search = url.search.length > 1 ? `${url.search}&${ours}` : ours;
  return url.href;
}
