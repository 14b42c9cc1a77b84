import { type Money, money } from "#lib/money.ts";

/** The count and sum of a merchant's entries or events of one type on one day. */
export interface Figure {
  /** The day in Lagos: `2026-11-21`. */
  day: string;
  source: "wallet" | "event";
  /**
   * `wallet`: why the money moved, as `listWalletTransactions` names it (`payment_link`, `card_fund`, `vtu_airtime_reversal`, …). `event`:
   * the type of the event (`checkout.expired`).
   */
  type: string;
  /** Entries of the wallet that moved money, or events. */
  count: number;
  /**
   * `wallet`: credits less debits, so that the figures of a day add up to the wallet's change. `event`: the amounts of the links and
   * purchases, and the Naira of card operations; zero for other events. No sum of events is a sum of money that moved.
   */
  amount: Money;
}

export type FigureRow = {
  day: string;
  source: Figure["source"];
  type: string;
  count: bigint;
  kobo: bigint;
};

export const figureFromRow = ({ day, source, type, count, kobo }: FigureRow): Figure => ({
  ...{ day, source, type },
  count: Number(count),
  amount: money(kobo, "NGN"),
});
