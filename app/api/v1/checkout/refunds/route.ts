import { ok } from "#app/_http/answers.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { CreateRefund, createRefund, ListRefundsQuery, listRefunds, presentRefund, RefundList } from "#services/checkout/index.ts";
import { presentPagination } from "#services/pagination.ts";
import { answerWithRefund, refundReplay, refundRoute } from "./answers.ts";

export const POST = merchantRoute(
  {
    ...refundRoute,
    name: "createRefund",
    summary: "Refund a payment, in whole or in part",
    description:
      "Sends money of a paid link back to the account that it came from, through the bank that took it. Where that bank cannot, the customer is asked for an account by a mail to `customer_email`, for 72 hours, and the refund is `needs_account`. The money is set aside at once; a failure or a reversal gives it back once. 200 when it is decided, 202 while it is not: read the refund, or wait for `checkout.refund_paid` or `checkout.refund_failed`, and never send it again. At most what came, less what was recalled and refunded. Counts under the limits of payouts. Needs an Idempotency-Key, and a key with the permission refunds:write, which no key has by default (no session will do).",
    area: "checkout",
    permission: createRefund.needs.permission,
    callers: "keys",
    body: CreateRefund,
    replay: refundReplay,
  },
  async (ctx, { body }) => answerWithRefund(await createRefund(ctx, body)),
);

export const GET = merchantRoute(
  {
    name: "listRefunds",
    summary: "List refunds",
    description: "Newest first; with `payment_reference`, those of one link.",
    area: "checkout",
    permission: "checkout:read",
    query: ListRefundsQuery,
    returns: { 200: RefundList },
  },
  async (ctx, { query }) => {
    const page = await listRefunds(ctx, query);
    return ok({ success: true, data: page.items.map(presentRefund), pagination: presentPagination(page) });
  },
);

export const { PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET", "POST");
