import type { Metadata } from "next";
import { LiveRefresh, NewRows } from "#app/_client/live-refresh.tsx";
import { requireMember } from "#app/_people/require-member.ts";
import { askedOf, choiceOf, createdRangeOf } from "#app/(dashboard)/_page/asked.ts";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { csvHref, hrefWith, readList } from "#app/(dashboard)/_page/read-list.ts";
import type { Filter } from "#components/page/filters.tsx";
import { Wallet } from "#components/wallet/wallet.tsx";
import { choicesOfTypes } from "#components/wallet/words.ts";
import { toPlainDigits } from "#lib/money.ts";
import type { MemberContext } from "#services/context.ts";
import { getWallet, listDebts, listHolds, listWalletTransactions, type Wallet as WalletFigures } from "#services/ledger/index.ts";
import { readSending } from "./read-sending.ts";
import { SendMoney } from "./send-money.tsx";
import { newestOf, toDebtReason, toEntryRow, toHoldReason } from "./to-view.ts";

export const metadata: Metadata = { title: "Wallet" };

const DIRECTIONS = ["credit", "debit"] as const;

export default async function WalletPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/wallet">) {
  const { ctx, base } = await requireMember(params);
  const now = new Date();
  const path = `${base}/wallet`;
  const filters = filtersFor(ctx);
  const asked = askedOf(await searchParams, filters);
  const wanted = { type: asked.values.type, direction: choiceOf(asked.values.direction, DIRECTIONS), ...createdRangeOf(asked, now) };
  const [wallet, holds, debts, sending, { items, place }] = await Promise.all([
    getWallet(ctx),
    listHolds(ctx),
    listDebts(ctx),
    readSending(ctx, base),
    readList(path, asked, (request) => listWalletTransactions(ctx, { ...request, ...wanted })),
  ]);
  const held = newestOf(holds.holds, holds.hasMore);
  const owed = newestOf(debts.entries.filter(({ change }) => change === "raised"));
  return (
    <>
      <Wallet
        {...{ ...wallet, filters, place, now, values: asked.values, ...addingMoney(ctx, base, wallet) }}
        holds={{ reasons: held.newest.map((hold) => toHoldReason(hold, base)), hasMore: held.hasMore }}
        debts={{ reasons: owed.newest.map((debt) => toDebtReason(debt, base)), hasMore: owed.hasMore }}
        rows={items.map((entry) => toEntryRow(entry, base))}
        path={path}
        send={sending && <SendMoney {...sending} />}
        statementHref={`${path}/statement`}
        csvHref={csvHref("wallet", ctx.merchant.id, wanted)}
      />
      {holds.held.minor > 0n ? <LiveRefresh isWaiting /> : asked.cursor === undefined && <NewRows />}
    </>
  );
}

const filtersFor = ({ merchant }: MemberContext): Filter[] => [
  { kind: "choice", name: "type", label: "Anything", choices: choicesOfTypes(merchant.areas) },
  {
    ...{ kind: "choice", name: "direction", label: "In and out" },
    choices: [
      { value: "credit", label: "Money in" },
      { value: "debit", label: "Money out" },
    ],
  },
  { kind: "days" },
];

/** A member adds money by paying a payment link of their own business. If the business owes money, the link is filled with that amount. */
function addingMoney(ctx: MemberContext, base: string, { owed }: WalletFigures) {
  const isOn = ctx.merchant.areas.includes("checkout") && mayChange(ctx, "checkout:write");
  if (!isOn) return { addMoneyHref: undefined, cannotAdd: undefined };
  if (ctx.merchant.bank === null) {
    const cannotAdd = "Payments are not set up in live mode yet, so no money can come in. Ask the people who run this service.";
    return { addMoneyHref: undefined, cannotAdd };
  }
  const amount = owed.minor > 0n ? toPlainDigits(owed) : undefined;
  return { addMoneyHref: hrefWith(`${base}/links/new`, { description: "Add money", amount }), cannotAdd: undefined };
}
