import type { Metadata } from "next";
import { one } from "#app/_people/one.ts";
import { readFormState } from "#app/_people/own-form-state.ts";
import { CheckAccount, NameAccount, RefundLinkEnded, RefundSays } from "#components/people/refund-account.tsx";
import { formatMoney, money } from "#lib/money.ts";
import { lagosDateTime } from "#lib/time.ts";
import { findRefundOfLink, listBanksForRefund, readCandidate } from "#services/checkout/index.ts";

export const metadata: Metadata = { title: "Your refund", robots: { index: false } };

/** Opened by the link of a mail, in two steps: the customer names an account, and then checks whose it is. Opening it changes nothing. */
export default async function RefundAccountPage({ searchParams }: PageProps<"/refund-account">) {
  const query = await searchParams;
  const token = one(query.token) ?? "";
  const refund = await findRefundOfLink(token);
  if (!refund) return <RefundLinkEnded />;
  const { business, status, awaitsOwner, bankName, number, expiresAt, isOpen, isTest } = refund;
  const amount = formatMoney(money(refund.amount, "NGN"));
  if (!isOpen || expiresAt === null) {
    const to = bankName && number ? `${bankName} ••${number}` : null;
    return <RefundSays {...{ business, amount, to }} state={awaitsOwner ? "deciding" : status === "needs_account" ? "failed" : status} />;
  }
  const sealed = one(query.account) ?? "";
  const account = readCandidate(token, sealed);
  if (account) return <CheckAccount {...{ token, sealed, business, amount }} {...account} />;
  const banks = (await listBanksForRefund(token)) ?? [];
  const says = await readFormState("refund-account");
  return <NameAccount {...{ says, token, isTest, business, amount, banks }} until={lagosDateTime(expiresAt)} />;
}
