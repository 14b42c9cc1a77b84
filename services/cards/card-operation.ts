import type { cardOperations } from "#db/schema/cards.ts";
import { type Money, money } from "#lib/money.ts";
import { type Actor, actorOf } from "../context.ts";

export type OperationRow = typeof cardOperations.$inferSelect;

/** A request to the issuer to change a card: issue, fund, unload, freeze, unfreeze or terminate. */
export interface CardOperation
  extends Pick<OperationRow, "merchantId" | "id" | "cardId" | "type" | "status" | "failureReason" | "reference" | "createdAt"> {
  /** US dollars put on the card, or taken off it. */
  amount: Money;
  /** US dollars. */
  fee: Money;
  /** Naira for a dollar, in ten-thousandths; null if no Naira moved. */
  exchangeRate: bigint | null;
  /** Naira charged to the wallet, or credited to it. */
  walletAmount: Money;
  /** US dollars that can be spent on the card now. */
  cardBalance: Money;
  madeBy: Actor;
}

export function operationFromRow(row: OperationRow, cardBalance: Money): CardOperation {
  const { merchantId, id, cardId, type, status, failureReason, reference, createdAt, exchangeRate } = row;
  return {
    ...{ merchantId, id, cardId, type, status, failureReason, reference, createdAt, exchangeRate, cardBalance },
    amount: money(row.amount, "USD"),
    fee: money(row.fee, "USD"),
    walletAmount: money(row.walletAmount, "NGN"),
    madeBy: actorOf(row.madeBy),
  };
}
