import { exportRoute } from "#app/_exports/export-route.ts";
import { pagesOf } from "#app/_exports/pages-of.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { ListTransactionsQuery, listTransactions } from "#services/transactions/index.ts";
import { columns } from "./columns.ts";

export const GET = exportRoute({
  name: "exportTransactions",
  list: "transactions",
  permission: "browse",
  filters: ListTransactionsQuery.omit({ limit: true, cursor: true }),
  columns,
  pages: (ctx, filters) => pagesOf((page) => listTransactions(ctx, { ...filters, ...page })),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
