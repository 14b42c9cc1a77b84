import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { EmbedOrigins, getEmbedOrigins, SetEmbedOrigins, setEmbedOrigins } from "#services/merchants/index.ts";

export const POST = dashboardRoute(
  {
    name: "setEmbedOrigins",
    summary: "List the origins whose pages may frame the payment pages",
    permission: setEmbedOrigins.needs.permission,
    body: SetEmbedOrigins,
    returns: { 200: dataOf(EmbedOrigins) },
    errors: ["VERSION_CONFLICT"],
    replay: {
      newResourceId: () => "setEmbedOrigins",
      afterLostAnswer: "answers",
      present: async (ctx) => ({ data: { origins: await getEmbedOrigins(ctx) } }),
    },
  },
  async (ctx, { body: { origins, from } }) => ok({ data: { origins: await setEmbedOrigins(ctx, origins, from) } }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
