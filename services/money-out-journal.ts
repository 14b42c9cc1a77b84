import { money } from "#lib/money.ts";
import { holdKeyOf, RECEIVABLE, REVENUE_PAYOUTS, SETTLEMENT_BANK, type Transfer, WALLET, walletCredit } from "./ledger/index.ts";
import type { Effective } from "./money-out.ts";

/** A payout or refund as the ledger sees it. A refund has no fee. */
export interface SentMoney {
  type: "payout" | "refund";
  id: string;
  /** The reference that the history of the wallet shows. */
  reference: string;
  /** Kobo. */
  amount: bigint;
  fee: bigint;
  corrections: number;
}

/** Returns the ending of a key that may be needed again, because an operator has charged again. */
const round = (corrections: number) => (corrections === 0 ? "" : `:${corrections}`);

const ngn = (minor: bigint) => money(minor, "NGN");
const totalOf = ({ amount, fee }: SentMoney) => ngn(amount + fee);
const metaOf = ({ type, reference }: SentMoney, suffix = "") => ({ type: `${type}${suffix}`, reference });

// Amount and fee go from the wallet to the bank's account in our books. The bank sends the amount on, and the fee is our revenue: it stays at the bank, so
// it leaves that account again.

/** Returns the hold of amount and fee. */
export function hold(sent: SentMoney): Transfer {
  const key = holdKeyOf(sent.id);
  return { kind: "hold", key, debit: WALLET, credit: SETTLEMENT_BANK, amount: totalOf(sent), meta: metaOf(sent) };
}

/** Returns the transfers of a change. The merchant owes what the wallet cannot cover of money that goes without a hold. */
export const transfersOf = (change: Effective, sent: SentMoney): Transfer[] => TRANSFERS[change](sent);

const TRANSFERS: Record<Effective, (sent: SentMoney) => Transfer[]> = {
  paid: (sent) => [
    { kind: "capture", key: `${sent.id}:capture`, target: holdKeyOf(sent.id), meta: metaOf(sent) },
    ...feeTransfer(sent, "fee", SETTLEMENT_BANK, REVENUE_PAYOUTS),
  ],
  failed: (sent) => [{ kind: "release", key: `${sent.id}:release`, target: holdKeyOf(sent.id), meta: metaOf(sent) }],
  late: (sent) => [chargeWithoutHold(sent, "late"), ...feeTransfer(sent, "fee", SETTLEMENT_BANK, REVENUE_PAYOUTS)],
  again(sent) {
    const ending = round(sent.corrections + 1);
    return [chargeWithoutHold(sent, `again${ending}`), ...feeTransfer(sent, `fee_again${ending}`, SETTLEMENT_BANK, REVENUE_PAYOUTS)];
  },
  reversal(sent) {
    const key = `${sent.id}:reversal${round(sent.corrections)}`;
    const credit = walletCredit({ key, from: SETTLEMENT_BANK, amount: totalOf(sent), meta: metaOf(sent, "_reversal") });
    return [credit, ...feeTransfer(sent, `fee_back${round(sent.corrections)}`, REVENUE_PAYOUTS, SETTLEMENT_BANK)];
  },
};

const chargeWithoutHold = (sent: SentMoney, name: string): Transfer => ({
  ...{ kind: "post", key: `${sent.id}:${name}`, debit: WALLET, credit: SETTLEMENT_BANK, amount: totalOf(sent) },
  ...{ overflow: RECEIVABLE, meta: metaOf(sent, "_late") },
});

const feeTransfer = (sent: SentMoney, name: string, debit: string, credit: string): Transfer[] =>
  sent.fee > 0n ? [{ kind: "post", key: `${sent.id}:${name}`, debit, credit, amount: ngn(sent.fee), meta: metaOf(sent, "_fee") }] : [];
