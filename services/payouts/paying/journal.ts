import { money } from "#lib/money.ts";
import { holdKeyOf, RECEIVABLE, REVENUE_PAYOUTS, SETTLEMENT_BANK, type Transfer, WALLET, walletCredit } from "../../ledger/index.ts";
import { type PayoutRow, referenceOf } from "../payout.ts";

type Priced = Pick<PayoutRow, "id" | "amount" | "fee">;
type Corrected = Priced & Pick<PayoutRow, "corrections">;

/** Returns the ending of a key that a payout may need again, because an operator has charged it again. */
const round = (corrections: number) => (corrections === 0 ? "" : `:${corrections}`);

const ngn = (minor: bigint) => money(minor, "NGN");
const totalOf = ({ amount, fee }: Priced) => ngn(amount + fee);
const metaOf = ({ id }: Priced, suffix = "") => ({ type: `payout${suffix}`, reference: referenceOf(id) });

// A payout takes amount and fee from the wallet to the bank's account in our books. The bank sends the amount on, and the fee is our revenue: it stays
// at the bank, so it leaves that account again.

/** Returns the hold of a payout's amount and fee. */
export function hold(payout: Priced): Transfer {
  const key = holdKeyOf(payout.id);
  return { kind: "hold", key, debit: WALLET, credit: SETTLEMENT_BANK, amount: totalOf(payout), meta: metaOf(payout) };
}

/** Returns the transfers of a payout that the bank has paid. */
export function capture(payout: Priced): Transfer[] {
  const target = holdKeyOf(payout.id);
  return [{ kind: "capture", key: `${payout.id}:capture`, target, meta: metaOf(payout) }, ...earnFee(payout)];
}

/** Returns the transfer that frees the money of a payout that the bank has not made. */
export const release = (payout: Priced): Transfer[] => [
  { kind: "release", key: `${payout.id}:release`, target: holdKeyOf(payout.id), meta: metaOf(payout) },
];

/** Returns the transfers of a payout that had failed here, and that the bank has made. The merchant owes the part that the wallet cannot cover. */
export const chargeLate = (payout: Priced): Transfer[] => [chargeWithoutHold(payout, "late"), ...earnFee(payout)];

/** Returns the transfers of a payout that had come back here, and that the bank has paid after all, as `chargeLate`. */
export const chargeAgain = (payout: Corrected): Transfer[] => {
  const ending = round(payout.corrections + 1);
  return [chargeWithoutHold(payout, `again${ending}`), ...earnFee(payout, `fee_again${ending}`)];
};

const chargeWithoutHold = (payout: Priced, name: string): Transfer => ({
  ...{ kind: "post", key: `${payout.id}:${name}`, debit: WALLET, credit: SETTLEMENT_BANK, amount: totalOf(payout) },
  ...{ overflow: RECEIVABLE, meta: metaOf(payout, "_late") },
});

/** Returns the transfers that give amount and fee back after a payout came back. */
export const giveBack = (payout: Corrected): Transfer[] => [
  walletCredit({
    key: `${payout.id}:reversal${round(payout.corrections)}`,
    from: SETTLEMENT_BANK,
    amount: totalOf(payout),
    meta: metaOf(payout, "_reversal"),
  }),
  ...feeTransfer(payout, `fee_back${round(payout.corrections)}`, REVENUE_PAYOUTS, SETTLEMENT_BANK),
];

const earnFee = (payout: Priced, name = "fee"): Transfer[] => feeTransfer(payout, name, SETTLEMENT_BANK, REVENUE_PAYOUTS);

const feeTransfer = (payout: Priced, name: string, debit: string, credit: string): Transfer[] =>
  payout.fee > 0n
    ? [{ kind: "post", key: `${payout.id}:${name}`, debit, credit, amount: ngn(payout.fee), meta: metaOf(payout, "_fee") }]
    : [];
