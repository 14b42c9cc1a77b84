import { ok } from "#app/_http/answers.ts";
import { listOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { presentPagination } from "#services/pagination.ts";
import { CreatePayout, createPayout, ListPayoutsQuery, listPayouts, PayoutObject, presentPayout } from "#services/payouts/index.ts";
import { answerWithPayout, payoutReplay, payoutRoute } from "./answers.ts";

export const POST = merchantRoute(
  {
    ...payoutRoute,
    name: "createPayout",
    summary: "Pay out to your bank account",
    description:
      "Takes amount and fee from the wallet. 200 when the bank has decided, also when it has refused and the money is back; 202 while it has not: read the payout, or wait for `payout.paid` or `payout.failed`, and never send it again. A bank may send money back later: `payout.reversed`. Needs an Idempotency-Key, and a key with the permission payouts:write, which no key has by default (no session will do).",
    permission: createPayout.needs.permission,
    callers: "keys",
    body: CreatePayout,
    replay: payoutReplay,
  },
  async (ctx, { body: { amount, bank_account_id: bankAccountId, narration, metadata } }) =>
    answerWithPayout(await createPayout(ctx, { amount, bankAccountId, narration, metadata })),
);

export const GET = merchantRoute(
  {
    name: "listPayouts",
    summary: "List payouts",
    description: "Newest first.",
    permission: "wallet:read",
    query: ListPayoutsQuery,
    returns: { 200: listOf(PayoutObject) },
  },
  async (ctx, { query }) => {
    const page = await listPayouts(ctx, query);
    return ok({ data: page.items.map(presentPayout), pagination: presentPagination(page) });
  },
);

export const { PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET", "POST");
