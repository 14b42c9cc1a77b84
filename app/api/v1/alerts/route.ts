import { ok } from "#app/_http/answers.ts";
import { listOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { AlertObject, listAlerts, presentAlert } from "#services/alerts/index.ts";
import { PageQuery } from "#services/page-query.ts";
import { presentPagination } from "#services/pagination.ts";

export const GET = merchantRoute(
  {
    name: "listAlerts",
    summary: "List alerts",
    description: "What you should know without having asked: a webhook endpoint that was disabled, say.",
    permission: "events:read",
    query: PageQuery,
    returns: { 200: listOf(AlertObject) },
  },
  async (ctx, { query }) => {
    const page = await listAlerts(ctx, query);
    return ok({ data: page.items.map(presentAlert), pagination: presentPagination(page) });
  },
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
