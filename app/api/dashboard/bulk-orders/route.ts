import { created } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newId } from "#lib/ids.ts";
import * as bulk from "#services/bulk/index.ts";

const { presentBulkOrder: present, BulkOrderObject: Order } = bulk;
const common = { area: "vtu", errors: ["PROVIDER_UNAVAILABLE"] } as const;
const text = { type: "text/csv", maxBytes: bulk.MAX_FILE_BYTES } as const;
/** A file takes about as long as twenty other requests. The limit is per business, not per session: a member may open many sessions. */
const limit = { name: "uploads", perSecond: 0.5, burst: 30 } as const;
const presentAgain = { newResourceId: () => newId("bulkOrder"), afterLostAnswer: "finds" } as const;

export const POST = dashboardRoute(
  {
    ...{
      ...common,
      name: "uploadBulkOrder",
      summary: "Check a CSV file of top-ups",
      permission: bulk.uploadBulkOrder.needs.permission,
      body: bulk.BulkFile,
      text,
      limit,
    },
    returns: { 201: dataOf(Order) },
    replay: { ...presentAgain, present: async (ctx, id) => ({ data: present(await bulk.getBulkOrder(ctx, id)) }) },
  },
  async (ctx, { body }) => created({ data: present(await bulk.uploadBulkOrder(ctx, body)) }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
