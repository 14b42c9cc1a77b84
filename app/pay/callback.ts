import type { PaymentLink } from "#services/checkout/index.ts";

/**
 * Returns the merchant's callback URL with `reference` and `status` appended, or null for a link without one. Its own query stays
 * unchanged, except for values of these two names: a shop that reads the first one would read its own.
 */
export function callbackFor({ callbackUrl, reference, status }: Pick<PaymentLink, "callbackUrl" | "reference" | "status">): string | null {
  if (callbackUrl === null) return null;
  const url = new URL(callbackUrl);
  const own = url.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && !OURS.has(nameOf(pair)));
  url.search = [...own, new URLSearchParams({ reference, status }).toString()].join("&");
  return url.href;
}

const OURS = new Set(["reference", "status"]);

/** The name of a pair of a query, as a server decodes it. */
const nameOf = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? "";
