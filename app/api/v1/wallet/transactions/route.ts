import { ok } from "#app/_http/answers.ts";
import { listOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import {
  ListWalletTransactionsQuery,
  listWalletTransactions,
  presentWalletTransaction,
  WalletTransactionObject,
} from "#services/ledger/index.ts";
import { presentPagination } from "#services/pagination.ts";

export const GET = merchantRoute(
  {
    name: "listWalletTransactions",
    summary: "List the wallet's history",
    description: "What has settled in the wallet, newest first, with the balance after each and what moved it.",
    permission: "wallet:read",
    query: ListWalletTransactionsQuery,
    returns: { 200: listOf(WalletTransactionObject) },
  },
  async (ctx, { query }) => {
    const page = await listWalletTransactions(ctx, query);
    return ok({ data: page.items.map(presentWalletTransaction), pagination: presentPagination(page) });
  },
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
