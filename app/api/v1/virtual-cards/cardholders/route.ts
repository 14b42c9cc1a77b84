import { created, ok } from "#app/_http/answers.ts";
import { dataOf, listOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newReference } from "#lib/ids.ts";
import {
  CardholderObject,
  CreateCardholder,
  createCardholder,
  getCardholderByEmail,
  ListCardholdersQuery,
  listCardholders,
  presentCardholder,
} from "#services/cards/index.ts";
import { presentPagination } from "#services/pagination.ts";

export const POST = merchantRoute(
  {
    name: "createCardholder",
    summary: "Create a cardholder",
    description:
      "Answers 201, or 200 with the cardholder that already has this email, unchanged. Its identity is decided within seconds, or days.",
    area: "cards",
    permission: createCardholder.needs.permission,
    body: CreateCardholder,
    returns: { 200: dataOf(CardholderObject), 201: dataOf(CardholderObject) },
    errors: ["PROVIDER_UNAVAILABLE", "PROVIDER_ERROR"],
    replay: {
      newResourceId: newReference,
      afterLostAnswer: "finds",
      // A replay has the same body, and an email belongs to the same cardholder forever.
      present: async (ctx, _claim, { body }) => ({ data: presentCardholder(await getCardholderByEmail(ctx, body.email)) }),
    },
  },
  async (ctx, { body }) => {
    const { first_name: firstName, last_name: lastName, email, phone = null, metadata } = body;
    const { cardholder, isNew } = await createCardholder(ctx, { firstName, lastName, email, phone, metadata });
    return (isNew ? created : ok)({ data: presentCardholder(cardholder) });
  },
);

export const GET = merchantRoute(
  {
    name: "listCardholders",
    summary: "List cardholders",
    area: "cards",
    permission: "cards:read",
    query: ListCardholdersQuery,
    returns: { 200: listOf(CardholderObject) },
  },
  async (ctx, { query }) => {
    const page = await listCardholders(ctx, query);
    return ok({ data: page.items.map(presentCardholder), pagination: presentPagination(page) });
  },
);

export const { PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET", "POST");
