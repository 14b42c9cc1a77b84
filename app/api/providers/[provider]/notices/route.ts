import { noticeRoute } from "#app/api/providers/notice-route.ts";
import { receiveNotice } from "#services/checkout/index.ts";
import { receivePayoutHint } from "#services/payouts/index.ts";
import { banks } from "#services/providers/index.ts";

/**
 * A bank's notice of a transfer or of a payout. Answers 200 only once the notice is stored, or the account or payout that it hints at is due to be read,
 * and 401 if it lacks the bank's signature.
 */
export const POST = noticeRoute(banks, async (ctx, provider, notice) => {
  if (typeof notice === "object" && "payoutToRead" in notice) await receivePayoutHint(ctx, provider, notice);
  else await receiveNotice(ctx, provider, notice);
});
