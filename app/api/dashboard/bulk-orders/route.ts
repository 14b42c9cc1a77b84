import { created, ok } from "#app/_http/answers.ts";
import { dataOf, listOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newId } from "#lib/ids.ts";
import * as bulk from "#services/bulk/index.ts";
import { presentPagination } from "#services/pagination.ts";

const { presentBulkOrder: present, BulkOrderObject: Order } = bulk;
const common = { area: "vtu", errors: ["PROVIDER_UNAVAILABLE"] } as const;
const text = { type: "text/csv", maxBytes: bulk.MAX_FILE_BYTES } as const;
/** A file takes about as long as twenty other requests. Of a business and not of a session, because a member may open many sessions. */
const limit = { name: "uploads", perSecond: 0.5, burst: 30 } as const;
const presentAgain = { newResourceId: () => newId("bulkOrder"), afterLostAnswer: "finds" } as const;

export const POST = dashboardRoute(
  {
    ...{
      ...common,
      name: "uploadBulkOrder",
      summary: "Check a CSV file of top-ups",
      permission: "vtu:write",
      body: bulk.BulkFile,
      text,
      limit,
    },
    returns: { 201: dataOf(Order) },
    replay: { ...presentAgain, present: async (ctx, id) => ({ data: present(await bulk.getBulkOrder(ctx, id)) }) },
  },
  async (ctx, { body }) => created({ data: present(await bulk.uploadBulkOrder(ctx, body)) }),
);

const list = { area: "vtu", name: "listBulkOrders", summary: "List bulk orders", permission: "vtu:read" } as const;
export const GET = dashboardRoute({ ...list, query: bulk.ListBulkOrdersQuery, returns: { 200: listOf(Order) } }, async (ctx, { query }) => {
  const page = await bulk.listBulkOrders(ctx, query);
  return ok({ data: page.items.map(present), pagination: presentPagination(page) });
});
export const { PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET", "POST");
