import { z } from "zod";
import { exportRoute } from "#app/_exports/export-route.ts";
import { pagesOf } from "#app/_exports/pages-of.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { CardTransactionObject, listSpendOfCards } from "#services/cards/index.ts";
import { createdRange } from "#services/page-query.ts";
import { columns } from "./columns.ts";

export const GET = exportRoute({
  name: "exportCardSpend",
  list: "card-spend",
  area: "cards",
  permission: "cards:read",
  filters: z.object({ type: CardTransactionObject.shape.type.optional(), ...createdRange("Spend") }),
  columns,
  pages: (ctx, filters) => pagesOf((page) => listSpendOfCards(ctx, { ...filters, ...page })),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
