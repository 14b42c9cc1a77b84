import { created, ok } from "#app/_http/answers.ts";
import { dataOf, listOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newId } from "#lib/ids.ts";
import { CardObject, getCard, IssueCard, issueCard, ListCardsQuery, listCards, presentCard } from "#services/cards/index.ts";
import { presentPagination } from "#services/pagination.ts";

export const POST = merchantRoute(
  {
    name: "issueCard",
    summary: "Issue a card",
    description:
      "Free unless `issue_fee` of the exchange rates says otherwise. The card may be PENDING for a while: read it, or wait for `card.issued` or `card.failed`.",
    area: "cards",
    permission: issueCard.needs.permission,
    body: IssueCard,
    returns: { 201: dataOf(CardObject) },
    errors: ["RESOURCE_NOT_FOUND", "CARDHOLDER_KYC_NOT_APPROVED", "INSUFFICIENT_BALANCE", "PROVIDER_UNAVAILABLE"],
    replay: {
      newResourceId: () => newId("card"),
      afterLostAnswer: "finds",
      present: async (ctx, id) => ({ data: presentCard(await getCard(ctx, id)) }),
    },
  },
  async (ctx, { body }) => {
    const { cardholder_id: cardholderId, brand, nickname = null, metadata } = body;
    return created({ data: presentCard(await issueCard(ctx, { cardholderId, brand, nickname, metadata })) });
  },
);

export const GET = merchantRoute(
  {
    name: "listCards",
    summary: "List cards",
    area: "cards",
    permission: "cards:read",
    query: ListCardsQuery,
    returns: { 200: listOf(CardObject) },
  },
  async (ctx, { query }) => {
    const page = await listCards(ctx, query);
    return ok({ data: page.items.map(presentCard), pagination: presentPagination(page) });
  },
);

export const { PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET", "POST");
