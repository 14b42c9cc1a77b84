import { z } from "zod";
import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { toHits } from "#app/_search/to-hits.ts";
import { SearchQuery, search } from "#services/search/index.ts";

const Hits = z.object({
  hits: z.array(
    z.object({
      id: z.string(),
      group: z.string().meta({ description: "The kind of thing, for people." }),
      title: z.string(),
      detail: z.string(),
      state: z.object({ tone: z.enum(["success", "waiting", "warning", "danger"]), word: z.string() }).nullable(),
      path: z.string().meta({ description: "The page of the thing, below the path of the mode." }),
    }),
  ),
  moreOf: z.array(z.string()).meta({ description: "Kinds of which more were found than the ten newest." }),
});

export const GET = dashboardRoute(
  {
    name: "search",
    summary: "Find what a customer or a bank names",
    permission: "browse",
    query: SearchQuery,
    returns: { 200: dataOf(Hits) },
  },
  async (ctx, { query }) => ok({ data: toHits(await search(ctx, query.q)) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
