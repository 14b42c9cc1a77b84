import { dataOf } from "#app/_http/common-schemas.ts";
import { newId } from "#lib/ids.ts";
import { BulkOrderObject, BulkOrderParams, getBulkOrder, presentBulkOrder } from "#services/bulk/index.ts";
import type { MemberContext } from "#services/context.ts";

/** The part of the declaration that all acts on one bulk order share. A replay presents the order as it is now. */
export const bulkOrderAct = {
  area: "vtu",
  params: BulkOrderParams,
  returns: { 200: dataOf(BulkOrderObject) },
  replay: {
    newResourceId: () => newId("bulkOrder"),
    afterLostAnswer: "answers",
    present: async (ctx: MemberContext, _id: string, { params }: { params: { id: string } }) => ({
      data: presentBulkOrder(await getBulkOrder(ctx, params.id)),
    }),
  },
} as const;
