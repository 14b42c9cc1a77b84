import { z } from "zod";
import { exportRoute } from "#app/_exports/export-route.ts";
import { pagesOf } from "#app/_exports/pages-of.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { CardOperationObject, listOperationsOfCards } from "#services/cards/index.ts";
import { createdRange } from "#services/page-query.ts";
import { columns } from "./columns.ts";

const { status, type } = CardOperationObject.shape;

export const GET = exportRoute({
  name: "exportCardOperations",
  list: "card-operations",
  area: "cards",
  permission: "cards:read",
  filters: z.object({ status: status.optional(), type: type.optional(), ...createdRange("Operations") }),
  columns,
  pages: (ctx, filters) => pagesOf((page) => listOperationsOfCards(ctx, { ...filters, ...page })),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
