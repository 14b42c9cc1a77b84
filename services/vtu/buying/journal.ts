import { money } from "#lib/money.ts";
import { holdKeyOf, RECEIVABLE, SETTLEMENT_VTU, type Transfer, WALLET, walletCredit } from "../../ledger/index.ts";
import type { PurchaseRow } from "../purchase.ts";

type Bought = Pick<PurchaseRow, "id" | "service" | "amount">;

const ngn = (minor: bigint) => money(minor, "NGN");
const metaOf = ({ id, service }: Pick<PurchaseRow, "id" | "service">, suffix = "") => ({ type: `vtu_${service}${suffix}`, reference: id });

/** Returns the hold of a purchase's price. */
export function hold(purchase: Bought): Transfer {
  const { id, amount } = purchase;
  return { kind: "hold", key: holdKeyOf(id), debit: WALLET, credit: SETTLEMENT_VTU, amount: ngn(amount), meta: metaOf(purchase) };
}

/** Returns the transfer that captures `delivered` kobo of the hold and releases the rest. */
export function resolveHold(purchase: Bought, delivered: bigint): Transfer {
  const { id } = purchase;
  const common = { target: holdKeyOf(id), meta: metaOf(purchase) };
  return delivered > 0n
    ? { kind: "capture", key: `${id}:capture`, amount: ngn(delivered), ...common }
    : { kind: "release", key: `${id}:release`, ...common };
}

/** Returns the transfer that charges the wallet for a late delivery. The merchant owes the part that the wallet cannot cover. */
export function chargeAgain(purchase: Bought, amount: bigint, correction: number): Transfer {
  return {
    kind: "post",
    key: `${purchase.id}:late:${correction}`,
    debit: WALLET,
    credit: SETTLEMENT_VTU,
    amount: ngn(amount),
    overflow: RECEIVABLE,
    meta: metaOf(purchase, "_late_success"),
  };
}

/** Returns the transfer that credits the wallet for a delivery that the aggregator took back. */
export function giveBack(purchase: Bought, amount: bigint, correction: number): Transfer {
  const meta = metaOf(purchase, "_reversal");
  return walletCredit({ key: `${purchase.id}:reversal:${correction}`, from: SETTLEMENT_VTU, amount: ngn(amount), meta });
}
