import { inSentence } from "#app/(dashboard)/_page/namer.ts";
import type { TimelineEntry } from "#components/page/timeline.tsx";
import type { PayoutRow } from "#components/wallet/payouts-list.tsx";
import { formatMoney, type Money } from "#lib/money.ts";
import type { Actor } from "#services/context.ts";
import type { Payout } from "#services/payouts/index.ts";

/** Returns how a screen names an account: `Harbour Bank ••4417`. */
export const nameOfAccount = ({ bankName, accountNumber }: { bankName: string; accountNumber: string }): string =>
  `${bankName} ••${accountNumber.slice(-4)}`;

/** Returns what the list shows of a payout. `path` is that of the wallet. */
export const toPayoutRow = (payout: Payout, path: string): PayoutRow => {
  const { id, bankName, accountName, accountNumber, status, amount, fee, createdAt } = payout;
  return { id, bankName, number: accountNumber.slice(-4), accountName, status, amount, fee, createdAt, href: `${path}/payouts/${id}` };
};

/** Returns what happened to a payout, newest first. `nameOf` names an actor for the reader. */
export function toEntries(payout: Payout, nameOf: (actor: Actor) => string): TimelineEntry[] {
  return [...endOf(payout), ...paidOf(payout), ...begunOf(payout, nameOf)];
}

const minus = ({ minor, currency }: Money) => `−${formatMoney({ minor, currency })}`;
const plus = (amount: Money) => `+${formatMoney(amount)}`;

function endOf({ status, endedAt, failureReason, total }: Payout): TimelineEntry[] {
  if (endedAt === null) return [];
  const text =
    status === "reversed"
      ? "The money came back, and is in your wallet again"
      : "The bank did not pay it. The money is free in your wallet again";
  const tone = status === "reversed" ? "warning" : "danger";
  return [{ key: "end", at: endedAt, text, detail: failureReason, tone, figure: status === "reversed" ? plus(total) : undefined }];
}

const paidOf = ({ paidAt, total, sessionId }: Payout): TimelineEntry[] =>
  paidAt === null
    ? []
    : [
        {
          key: "paid",
          at: paidAt,
          text: "The bank paid it",
          detail: sessionId && `Bank session ${sessionId}`,
          tone: "success",
          figure: minus(total),
        },
      ];

function begunOf({ createdAt, total, madeBy, approvedBy, automaticFor }: Payout, nameOf: (actor: Actor) => string): TimelineEntry[] {
  const by = automaticFor === null ? `Sent by ${inSentence(nameOf(madeBy))}` : "Sent by your rule for automatic payouts";
  const agreed = approvedBy ? ` ${nameOf(approvedBy)} agreed to it.` : "";
  return [{ key: "begun", at: createdAt, text: by, detail: `${formatMoney(total)} was set aside in your wallet.${agreed}` }];
}
