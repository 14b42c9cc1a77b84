import { z } from "zod";
import { exportRoute } from "#app/_exports/export-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { getBulkOrder, listBulkRows } from "#services/bulk/index.ts";
import type { MemberContext } from "#services/context.ts";
import { columns } from "./columns.ts";

const ROWS_OF_A_PAGE = 250;

export const GET = exportRoute({
  name: "exportBulkOrderRows",
  list: "bulk-order-rows",
  area: "vtu",
  permission: "vtu:read",
  filters: z.object({ order: z.string({ error: "Send the id of a bulk order." }) }),
  columns,
  pages: (ctx, { order }) => pagesOfRows(ctx, order),
});

async function* pagesOfRows(ctx: MemberContext, id: string) {
  await getBulkOrder(ctx, id);
  for (let after: number | null = 0; after !== null; ) {
    const page: Awaited<ReturnType<typeof listBulkRows>> = await listBulkRows(ctx, id, { after, limit: ROWS_OF_A_PAGE });
    yield page.rows;
    after = page.nextAfter;
  }
}

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
