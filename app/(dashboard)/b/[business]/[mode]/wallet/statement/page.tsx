import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireMember } from "#app/_people/require-member.ts";
import { askedOf } from "#app/(dashboard)/_page/asked.ts";
import { csvHref, readList } from "#app/(dashboard)/_page/read-list.ts";
import { Statement } from "#components/wallet/statement.tsx";
import { listStatementMonths, listWalletTransactions, readStatement, sumStatement } from "#services/ledger/index.ts";
import { toEntryRow } from "../to-view.ts";
import { Print } from "./print.tsx";
import { nameOfMonth, toSums } from "./to-view.ts";

export const metadata: Metadata = { title: "Statement" };

/** As many fit on a few sheets of paper. */
const ENTRIES = 200;

export default async function StatementPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/wallet/statement">) {
  const { ctx, base, workplace } = await requireMember(params);
  const now = new Date();
  const path = `${base}/wallet/statement`;
  const months = (await listStatementMonths(ctx, now)).map((value) => ({ value, label: nameOfMonth(value) }));
  const asked = askedOf(await searchParams, [{ kind: "choice", name: "month", label: "This month", choices: months }]);
  const [current, ...earlier] = months;
  const month = asked.values.month ?? current?.value ?? notFound();
  const statement = await readStatement(ctx, month, now);
  const { numbers, opening, closing, isClosed } = statement;
  const [sums, { items, place }] = await Promise.all([
    sumStatement(ctx, statement),
    readList(path, asked, (request) => listWalletTransactions(ctx, { ...request, numbers }), ENTRIES),
  ]);
  return (
    <Statement
      {...{ opening, closing, isClosed, path, now, months: earlier, values: month === current?.value ? {} : asked.values }}
      business={workplace.businessName}
      isTest={ctx.merchant.mode === "test"}
      month={nameOfMonth(month)}
      sums={sums && toSums(sums)}
      rows={items.map((entry) => toEntryRow(entry, base))}
      newerHref={place.newerHref}
      olderHref={place.olderHref}
      problem={place.problem}
      walletHref={`${base}/wallet`}
      csvHref={csvHref("wallet-statement", ctx.merchant.id, { month })}
      print={<Print />}
    />
  );
}
