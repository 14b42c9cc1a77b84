import { noticeRoute } from "#app/api/providers/notice-route.ts";
import { receiveHintOfRefund, receiveHintOfRefunds, receiveNotice } from "#services/checkout/index.ts";
import { receivePayoutHint } from "#services/payouts/index.ts";
import { banks } from "#services/providers/index.ts";

/**
 * A bank's notice of a transfer, a payout or a refund. Answers 200 only once the notice is stored, or the account, payout or refund that it hints at is due to be read,
 * and 401 if it lacks the bank's signature.
 */
export const POST = noticeRoute(banks, async (ctx, provider, notice) => {
  if (notice === "irrelevant") return;
  if ("refundsToRead" in notice) await receiveHintOfRefunds(ctx, provider, notice.refundsToRead);
  else if ("refundToRead" in notice) await receiveHintOfRefund(ctx, provider, notice.refundToRead);
  else if ("payoutToRead" in notice) {
    // A refund to an account that the customer has named is a payout at the bank.
    if (!(await receiveHintOfRefund(ctx, provider, notice.payoutToRead))) await receivePayoutHint(ctx, provider, notice);
  } else await receiveNotice(ctx, provider, notice);
});
