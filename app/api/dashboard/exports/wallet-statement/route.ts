import { exportRoute } from "#app/_exports/export-route.ts";
import { pagesOf } from "#app/_exports/pages-of.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import type { MerchantContext } from "#services/context.ts";
import { listWalletTransactions, readStatement, StatementQuery } from "#services/ledger/index.ts";
import { closingLine, columns, type Line, lineOf, openingLine } from "./columns.ts";

async function* pages(ctx: MerchantContext, month: string): AsyncGenerator<Line[], void> {
  const statement = await readStatement(ctx, month);
  const { numbers } = statement;
  yield [closingLine(statement)];
  for await (const entries of pagesOf((page) => listWalletTransactions(ctx, { ...page, numbers }))) yield entries.map(lineOf);
  yield [openingLine(statement)];
}

export const GET = exportRoute({
  name: "exportWalletStatement",
  list: "wallet-statement",
  permission: "wallet:read",
  filters: StatementQuery,
  fileName: ({ month }) => `wallet-statement-${month}`,
  columns,
  pages: (ctx, { month }) => pages(ctx, month),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
