import type { PaymentLink } from "../payment-link.ts";
import { run } from "../rows.ts";

// Compares the status by an expression, so that the planner does not read all pending links of the merchant.
const OPEN_LINK = `
  select reference from payment_links
  where merchant_id = $1 and first_link_id = $2 and status::text = 'pending' and expires_at > now() order by id desc limit 1`;

/**
 * Returns the reference of the link that a payer of this expired link should open: the one that has paid the order, else the one of its chain
 * that can be paid. Returns null where the link is not expired, and where there is no such link.
 */
export async function findReplacement(link: PaymentLink): Promise<string | null> {
  const { merchantId, id, status, replacedBy, firstLinkId, paidInstead } = link;
  if (status !== "expired") return null;
  if (paidInstead !== null || replacedBy === null) return paidInstead;
  const [open] = await run<{ reference: string }>(OPEN_LINK, [merchantId, firstLinkId ?? id]);
  return open?.reference ?? null;
}
