import { type Money, money } from "#lib/money.ts";
import { toNairaDown } from "../../exchange/index.ts";
import { cardAccount, FX_NGN, FX_USD, holdKeyOf, RECEIVABLE, REVENUE_FEES, type Transfer, WALLET } from "../../ledger/index.ts";
import type { OperationRow } from "../card-operation.ts";
import { cardToWallet, chain, positive, ratesOf, spreadOf, worthToWallet } from "../prices/prices.ts";

const usd = (minor: bigint) => money(minor, "USD");
const ngn = (minor: bigint) => money(minor, "NGN");
const metaOf = ({ type, reference, exchangeRate }: OperationRow): Record<string, string> => ({
  type: `card_${type}`,
  reference,
  ...(exchangeRate !== null && { exchange_rate: String(exchangeRate) }),
});

const holdOf = ({ id }: OperationRow) => holdKeyOf(id);

/** Returns the hold on the wallet for the price of an issue or a funding; no transfer if it is free. */
export function holdOfWallet(operation: OperationRow): Transfer[] {
  const amount = ngn(operation.walletAmount);
  return positive({ kind: "hold", key: holdOf(operation), debit: WALLET, credit: FX_NGN, amount, meta: metaOf(operation) });
}

/** Returns the linked transfers that capture the wallet's hold: the card gets its dollars, and our revenue gets the fee and the spread. */
export function charge(operation: OperationRow): Transfer[] {
  if (operation.walletAmount === 0n) return [];
  const meta = metaOf(operation);
  return chain([{ kind: "capture", key: `${operation.id}:wallet`, target: holdOf(operation), meta }, ...putOnCard(operation)]);
}

/**
 * As `charge`, for a funding that had failed here, so that its hold was released: the wallet pays now, and the rest becomes the merchant's
 * debt.
 */
export function chargeLate(operation: OperationRow): Transfer[] {
  const { id, walletAmount } = operation;
  const meta = metaOf(operation);
  return chain([
    { kind: "post", key: `${id}:wallet`, debit: WALLET, credit: FX_NGN, amount: ngn(walletAmount), overflow: RECEIVABLE, meta },
    ...putOnCard(operation),
  ]);
}

function putOnCard(operation: OperationRow): Transfer[] {
  const { id, cardId, amount, fee, walletAmount } = operation;
  const meta = metaOf(operation);
  return [
    ...spreadOf({ key: id, meta }, walletAmount - toNairaDown(usd(amount + fee), ratesOf(operation).mid).minor),
    ...positive({ kind: "post", key: `${id}:card`, debit: FX_USD, credit: cardAccount(cardId), amount: usd(amount), meta }),
    ...positive({ kind: "post", key: `${id}:fee`, debit: FX_USD, credit: REVENUE_FEES, amount: usd(fee), meta }),
  ];
}

/** Returns the hold on the card for the amount of an unload, so that nothing else takes these dollars. */
export function holdOfCard(operation: OperationRow): Transfer[] {
  const { cardId, amount } = operation;
  return [
    { kind: "hold", key: holdOf(operation), debit: cardAccount(cardId), credit: FX_USD, amount: usd(amount), meta: metaOf(operation) },
  ];
}

/** Returns the release of an operation's hold; no transfer if there is no hold. */
export function release(operation: OperationRow): Transfer[] {
  const held = operation.type === "unload" || operation.walletAmount > 0n;
  const isCharge = operation.type === "issue" || operation.type === "fund" || operation.type === "unload";
  return held && isCharge ? [{ kind: "release", key: `${operation.id}:release`, target: holdOf(operation), meta: metaOf(operation) }] : [];
}

/** Returns the transfers of a completed unload: `taken` dollars, at most the hold, leave the card, and their worth goes to the wallet. */
export function unloadToWallet(operation: OperationRow, taken: Money): Transfer[] {
  const meta = metaOf(operation);
  const exchange = { key: operation.id, rates: ratesOf(operation), meta };
  return [
    { kind: "capture", key: `${operation.id}:card`, target: holdOf(operation), amount: taken, meta },
    ...worthToWallet(taken, exchange),
  ];
}

/** As `unloadToWallet`, for an unload that had failed here, so that its hold was released. */
export const unloadLate = (operation: OperationRow, taken: Money): Transfer[] =>
  cardToWallet({ id: operation.cardId }, taken, { key: operation.id, rates: ratesOf(operation), meta: metaOf(operation) });
