import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireMember } from "#app/_people/require-member.ts";
import { type Asked, askedOf } from "#app/(dashboard)/_page/asked.ts";
import { csvHref, readList } from "#app/(dashboard)/_page/read-list.ts";
import { Statement } from "#components/wallet/statement.tsx";
import { listStatementMonths, listWalletTransactions, readStatement, sumStatement } from "#services/ledger/index.ts";
import { toEntryRow } from "../to-view.ts";
import { Print } from "./print.tsx";
import { nameOfMonth, toSums } from "./to-view.ts";

export const metadata: Metadata = { title: "Statement" };

/** A statement prints at most this many entries, which fit on a few sheets of paper. */
const ENTRIES = 200;

type Workplace = Awaited<ReturnType<typeof requireMember>>;

interface Shown {
  path: string;
  asked: Asked;
  month: string;
  now: Date;
}

export default async function StatementPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/wallet/statement">) {
  const page = await requireMember(params);
  const now = new Date();
  const path = `${page.base}/wallet/statement`;
  const months = (await listStatementMonths(page.ctx, now)).map((value) => ({ value, label: nameOfMonth(value) }));
  const asked = askedOf(await searchParams, [{ kind: "choice", name: "month", label: "This month", choices: months }]);
  const [current, ...earlier] = months;
  const month = asked.values.month ?? current?.value ?? notFound();
  const { problem, statement } =
    asked.problem === undefined ? await statementOf(page, { path, asked, month, now }) : { problem: asked.problem, statement: undefined };
  return (
    <Statement
      {...{ path, problem, statement, months: earlier, values: month === current?.value ? {} : asked.values }}
      walletHref={`${page.base}/wallet`}
    />
  );
}

async function statementOf({ ctx, base, workplace }: Workplace, { path, asked, month, now }: Shown) {
  const read = await readStatement(ctx, month, now);
  const { numbers, opening, closing, isClosed } = read;
  const [sums, { items, place }] = await Promise.all([
    sumStatement(ctx, read),
    readList(path, asked, (request) => listWalletTransactions(ctx, { ...request, numbers }), ENTRIES),
  ]);
  const { newerHref, olderHref, problem } = place;
  const statement = {
    ...{ opening, closing, isClosed, newerHref, olderHref, now },
    business: workplace.businessName,
    isTest: ctx.merchant.mode === "test",
    month: nameOfMonth(month),
    sums: sums && toSums(sums),
    rows: items.map((entry) => toEntryRow(entry, base)),
    csvHref: csvHref("wallet-statement", ctx.merchant.id, { month }),
    print: <Print />,
  };
  return { problem, statement };
}
