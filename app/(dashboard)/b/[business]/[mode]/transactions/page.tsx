import type { Metadata } from "next";
import { NewRows } from "#app/_client/live-refresh.tsx";
import { requireMember } from "#app/_people/require-member.ts";
import { askedOf, choiceOf, createdRangeOf } from "#app/(dashboard)/_page/asked.ts";
import { csvHref, readList } from "#app/(dashboard)/_page/read-list.ts";
import { TRANSACTION_FILTERS, TransactionsList } from "#components/transactions/transactions-list.tsx";
import { listTransactions, TRANSACTION_STATES } from "#services/transactions/index.ts";
import { toTransactionRow } from "./to-view.ts";

export const metadata: Metadata = { title: "Transactions" };

const AREAS = ["checkout", "cards", "vtu"] as const;

export default async function TransactionsPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/transactions">) {
  const { ctx, base } = await requireMember(params);
  const now = new Date();
  const asked = askedOf(await searchParams, TRANSACTION_FILTERS);
  const { area, state } = asked.values;
  const filters = { area: choiceOf(area, AREAS), state: choiceOf(state, TRANSACTION_STATES), ...createdRangeOf(asked, now) };
  const { items, place } = await readList(`${base}/transactions`, asked, (request) => listTransactions(ctx, { ...request, ...filters }));
  return (
    <>
      <TransactionsList
        rows={items.map((transaction) => toTransactionRow(transaction, base))}
        values={asked.values}
        place={place}
        csvHref={csvHref("transactions", ctx.merchant.id, filters)}
        linksHref={`${base}/links`}
        now={now}
      />
      {asked.cursor === undefined && <NewRows />}
    </>
  );
}
