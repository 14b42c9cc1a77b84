import { type Money, money } from "#lib/money.ts";
import { type ExchangeRate, toNairaDown, toNairaUp } from "../exchange/index.ts";
import {
  cardAccount,
  FX_NGN,
  FX_USD,
  RECEIVABLE,
  REVENUE_FEES,
  REVENUE_SPREAD,
  type Transfer,
  WALLET,
  walletCredit,
} from "../ledger/index.ts";
import type { OperationRow } from "./card-operation.ts";

// Every exchange has a leg in Naira (against fx:ngn), a leg in dollars (against fx:usd), and the spread: what the merchant paid or got,
// against the same dollars at the middle rate. What is left at fx:ngn and fx:usd is the same money at that rate.

type Meta = Record<string, string>;
type Rates = Pick<ExchangeRate, "mid"> & { rate: bigint };

const usd = (minor: bigint) => money(minor, "USD");
const ngn = (minor: bigint) => money(minor, "NGN");
const positive = (transfer: Transfer & { amount: Money }): Transfer[] => (transfer.amount.minor > 0n ? [transfer] : []);
/** All of them or none. */
const chain = (transfers: Transfer[]): Transfer[] => transfers.map((transfer, i) => ({ ...transfer, linked: i < transfers.length - 1 }));

const metaOf = ({ type, reference, exchangeRate }: OperationRow): Meta => ({
  type: `card_${type}`,
  reference,
  ...(exchangeRate !== null && { exchange_rate: String(exchangeRate) }),
});

function ratesOf({ id, exchangeRate, midRate }: OperationRow): Rates {
  if (exchangeRate === null || midRate === null) throw new Error(`operation ${id} has no rate`);
  return { rate: exchangeRate, mid: midRate };
}

const holdOf = ({ id }: OperationRow) => `${id}:hold`;

/** Sets aside what issuing or funding costs the wallet. */
export function holdOfWallet(operation: OperationRow): Transfer[] {
  const amount = ngn(operation.walletAmount);
  return positive({ kind: "hold", key: holdOf(operation), debit: WALLET, credit: FX_NGN, amount, meta: metaOf(operation) });
}

/** Takes what was set aside: the card gets its dollars, we get fee and spread. One journal. */
export function charge(operation: OperationRow): Transfer[] {
  if (operation.walletAmount === 0n) return [];
  const meta = metaOf(operation);
  return chain([{ kind: "capture", key: `${operation.id}:wallet`, target: holdOf(operation), meta }, ...putOnCard(operation)]);
}

/** As `charge`, of a funding whose hold was released because it seemed to have failed: the wallet pays now, and owes what it cannot cover. */
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
  const spread = ngn(walletAmount - toNairaDown(usd(amount + fee), ratesOf(operation).mid).minor);
  return [
    ...positive({ kind: "post", key: `${id}:spread`, debit: FX_NGN, credit: REVENUE_SPREAD, amount: spread, meta }),
    ...positive({ kind: "post", key: `${id}:card`, debit: FX_USD, credit: cardAccount(cardId), amount: usd(amount), meta }),
    ...positive({ kind: "post", key: `${id}:fee`, debit: FX_USD, credit: REVENUE_FEES, amount: usd(fee), meta }),
  ];
}

/** Sets aside on the card what is to be unloaded, so that nothing else takes it. */
export function holdOfCard(operation: OperationRow): Transfer[] {
  const { cardId, amount } = operation;
  return [
    { kind: "hold", key: holdOf(operation), debit: cardAccount(cardId), credit: FX_USD, amount: usd(amount), meta: metaOf(operation) },
  ];
}

/** Gives back what was set aside for an operation, where there was anything. */
export function release(operation: OperationRow): Transfer[] {
  const held = operation.type === "unload" || operation.walletAmount > 0n;
  const isCharge = operation.type === "issue" || operation.type === "fund" || operation.type === "unload";
  return held && isCharge ? [{ kind: "release", key: `${operation.id}:release`, target: holdOf(operation), meta: metaOf(operation) }] : [];
}

/** An unload that took `taken` dollars, at most what was set aside: they leave the card, and their worth goes to the wallet. */
export function unloadToWallet(operation: OperationRow, taken: Money): Transfer[] {
  const meta = metaOf(operation);
  const exchange = { key: operation.id, rates: ratesOf(operation), meta };
  return [
    { kind: "capture", key: `${operation.id}:card`, target: holdOf(operation), amount: taken, meta },
    ...worthToWallet(taken, exchange),
  ];
}

/** As `unloadToWallet`, of an unload whose hold was released because it seemed to have failed. */
export const unloadLate = (operation: OperationRow, taken: Money): Transfer[] =>
  cardToWallet({ id: operation.cardId }, taken, { key: operation.id, rates: ratesOf(operation), meta: metaOf(operation) });

interface Exchange {
  /** Begins the keys of its transfers. */
  key: string;
  rates: Rates;
  meta: Meta;
}

/** Dollars leave a card, and their worth goes to the wallet. */
export function cardToWallet(card: { id: string }, amount: Money, exchange: Exchange): Transfer[] {
  const { key, meta } = exchange;
  return [
    ...positive({ kind: "post", key: `${key}:card`, debit: cardAccount(card.id), credit: FX_USD, amount, meta }),
    ...worthToWallet(amount, exchange),
  ];
}

/** What dollars at the exchange are worth goes to the wallet. */
export function worthToWallet(dollars: Money, { key, rates, meta }: Exchange): Transfer[] {
  const worth = toNairaDown(dollars, rates.rate);
  const spread = ngn(toNairaDown(dollars, rates.mid).minor - worth.minor);
  return [
    ...positive({ kind: "post", key: `${key}:spread`, debit: FX_NGN, credit: REVENUE_SPREAD, amount: spread, meta }),
    ...(worth.minor > 0n ? [walletCredit({ key: `${key}:wallet`, from: FX_NGN, amount: worth, meta })] : []),
  ];
}

/** A card that is at an end owes dollars: the wallet pays them, and what it cannot cover becomes a debt of the merchant. */
export function walletToCard(card: { id: string }, amount: Money, { key, rates, meta }: Exchange): Transfer[] {
  const price = toNairaUp(amount, rates.rate);
  const spread = ngn(price.minor - toNairaDown(amount, rates.mid).minor);
  return chain([
    ...positive({ kind: "post", key: `${key}:wallet`, debit: WALLET, credit: FX_NGN, amount: price, overflow: RECEIVABLE, meta }),
    ...positive({ kind: "post", key: `${key}:spread`, debit: FX_NGN, credit: REVENUE_SPREAD, amount: spread, meta }),
    ...positive({ kind: "post", key: `${key}:card`, debit: FX_USD, credit: cardAccount(card.id), amount, meta }),
  ]);
}
