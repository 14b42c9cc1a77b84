import { type Money, money } from "#lib/money.ts";
import { type ExchangeRate, toNairaDown, toNairaUp } from "../../exchange/index.ts";
import {
  cardAccount,
  FX_NGN,
  FX_USD,
  holdKeyOf,
  RECEIVABLE,
  REVENUE_FEES,
  REVENUE_SPREAD,
  type Transfer,
  WALLET,
  walletCredit,
} from "../../ledger/index.ts";
import type { OperationRow } from "../card-operation.ts";

// Every exchange has a leg in Naira (against fx:ngn), a leg in dollars (against fx:usd), and the spread: the difference between the Naira
// that the merchant paid or got and the same dollars at the middle rate. The rest at fx:ngn equals the rest at fx:usd at the middle rate.

type Meta = Record<string, string>;
type Rates = Pick<ExchangeRate, "mid"> & { rate: bigint };

const usd = (minor: bigint) => money(minor, "USD");
const ngn = (minor: bigint) => money(minor, "NGN");
const positive = (transfer: Transfer & { amount: Money }): Transfer[] => (transfer.amount.minor > 0n ? [transfer] : []);
/** The part of a price beyond the middle rate is ours; where an exchange is undone at the rate that the merchant had, we give it back. */
function spreadOf({ key, meta }: Pick<Exchange, "key" | "meta">, minor: bigint): Transfer[] {
  const [debit, credit] = minor > 0n ? [FX_NGN, REVENUE_SPREAD] : [REVENUE_SPREAD, FX_NGN];
  return positive({ kind: "post", key: `${key}:spread`, debit, credit, amount: ngn(minor > 0n ? minor : -minor), meta });
}
/** Links transfers, so that the ledger posts all of them or none. */
const chain = (transfers: Transfer[]): Transfer[] => transfers.map((transfer, i) => ({ ...transfer, linked: i < transfers.length - 1 }));

const metaOf = ({ type, reference, exchangeRate }: OperationRow): Meta => ({
  type: `card_${type}`,
  reference,
  ...(exchangeRate !== null && { exchange_rate: String(exchangeRate) }),
});

/** Returns the rates of an operation. Throws where it has none. */
export function ratesOf({ id, exchangeRate, midRate }: OperationRow): Rates {
  if (exchangeRate === null || midRate === null) throw new Error(`operation ${id} has no rate`);
  return { rate: exchangeRate, mid: midRate };
}

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

interface Exchange {
  /** The prefix of the transfers' keys. */
  key: string;
  rates: Rates;
  meta: Meta;
}

/** Returns the transfers that move dollars off a card and credit their worth to the wallet. */
export function cardToWallet(card: { id: string }, amount: Money, exchange: Exchange): Transfer[] {
  const { key, meta } = exchange;
  return [
    ...positive({ kind: "post", key: `${key}:card`, debit: cardAccount(card.id), credit: FX_USD, amount, meta }),
    ...worthToWallet(amount, exchange),
  ];
}

/** Returns the transfers that credit the wallet with the worth of dollars. The caller moves the dollars to `fx:usd`. */
export function worthToWallet(dollars: Money, { key, rates, meta }: Exchange): Transfer[] {
  const worth = toNairaDown(dollars, rates.rate);
  return [
    ...spreadOf({ key, meta }, toNairaDown(dollars, rates.mid).minor - worth.minor),
    ...(worth.minor > 0n ? [walletCredit({ key: `${key}:wallet`, from: FX_NGN, amount: worth, meta })] : []),
  ];
}

/** Returns the linked transfers that pay an ended card's missing dollars from the wallet. A shortfall becomes a debt of the merchant. */
export function walletToCard(card: { id: string }, amount: Money, { key, rates, meta }: Exchange): Transfer[] {
  const price = toNairaUp(amount, rates.rate);
  return chain([
    ...positive({ kind: "post", key: `${key}:wallet`, debit: WALLET, credit: FX_NGN, amount: price, overflow: RECEIVABLE, meta }),
    ...spreadOf({ key, meta }, price.minor - toNairaDown(amount, rates.mid).minor),
    ...positive({ kind: "post", key: `${key}:card`, debit: FX_USD, credit: cardAccount(card.id), amount, meta }),
  ]);
}
