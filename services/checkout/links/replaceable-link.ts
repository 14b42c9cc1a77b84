import { invalid, Problem } from "#lib/problem.ts";
import type { MerchantContext } from "../../context.ts";
import type { PaymentLink } from "../payment-link.ts";
import { findLinkByReference } from "./read-links.ts";

/**
 * Returns the link that `by` may replace: expired, not replaced by another, and of an order that no link of its chain has paid. Expires it first if its time is over. Throws
 * VALIDATION_ERROR at `replaces`; a foreign reference reads as an unknown one.
 */
export async function getReplaceableLink({ merchant }: MerchantContext, reference: string, by: string): Promise<PaymentLink> {
  const link = await findLinkByReference(merchant.id, reference);
  if (!link) throw invalid("replaces", "You have no link with this reference. Send the reference of an expired, unpaid link.");
  if (link.status === "success") throw never("This link is paid, so no other may replace it.");
  if (link.paidInstead !== null) {
    throw never(`This order is paid already, by the link ${link.paidInstead} of the same chain. For another order, leave replaces out.`);
  }
  if (link.status === "pending") throw invalid("replaces", "This link can still be paid. Replace it once it has expired.");
  // An earlier attempt with the same Idempotency-Key may have stored the same link.
  if (link.replacedBy !== null && link.replacedBy !== by) {
    throw never(`This link was replaced already, by ${link.replacedBy}. Replace that one once it has expired.`);
  }
  return link;
}

/** Returns a final refusal. A paid order and a replaced link stay so, so no attempt of this request can ever store a link. */
const never = (message: string) => new Problem("VALIDATION_ERROR", message, { errors: [{ param: "replaces", message }], isFinal: true });
