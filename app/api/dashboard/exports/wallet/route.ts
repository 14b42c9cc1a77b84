import { exportRoute } from "#app/_exports/export-route.ts";
import { pagesOf } from "#app/_exports/pages-of.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { ListWalletTransactionsQuery, listWalletTransactions } from "#services/ledger/index.ts";
import { columns } from "./columns.ts";

export const GET = exportRoute({
  name: "exportWallet",
  list: "wallet",
  permission: "wallet:read",
  filters: ListWalletTransactionsQuery.omit({ limit: true, cursor: true }),
  columns,
  pages: (ctx, filters) => pagesOf((page) => listWalletTransactions(ctx, { ...filters, ...page })),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
