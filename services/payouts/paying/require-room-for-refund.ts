import type { Tx } from "#db/client.ts";
import type { Money } from "#lib/money.ts";
import type { Merchant } from "../../context.ts";
import { readLimits } from "../rules/limits.ts";
import { readRules } from "../rules/read-rules.ts";
import { requireWithinLimits } from "./claim-payout.ts";

/**
 * Throws LIMIT_EXCEEDED for a refund above a limit of one payout, or of the day's payouts and refunds together. It needs no second person: the money goes
 * back to its payer. The caller has locked the merchant, at this time. `refundId`: of a refund that is stored already, which does not count twice.
 */
export async function requireRoomForRefund(
  tx: Tx,
  merchant: Pick<Merchant, "id" | "mode">,
  { amount, at, refundId }: { amount: Money; at: Date; refundId?: string },
): Promise<void> {
  const [limits, rules] = [await readLimits(tx, merchant), await readRules(tx, merchant.id, at)];
  const wanted = { amount, approval: "none is needed", what: "refund", ...(refundId !== undefined && { refundId }) } as const;
  await requireWithinLimits(tx, merchant, { limits, rules }, wanted);
}
