import type { PaymentLink } from "#services/checkout/index.ts";

/** The merchant's callback with `reference` and `status` appended. Its own query is kept to the letter. */
export function callbackFor({ callbackUrl, reference, status }: Pick<PaymentLink, "callbackUrl" | "reference" | "status">): string | null {
  if (callbackUrl === null) return null;
  const url = new URL(callbackUrl);
  const ours = new URLSearchParams({ reference, status }).toString();
  url.search = url.search.length > 1 ? `${url.search}&${ours}` : ours;
  return url.href;
}
