import type { IdKind } from "#lib/ids.ts";
import { readOperationsWithin, readSpendWithin } from "../cards/index.ts";
import { readLinksWithin, readRefundsWithin } from "../checkout/index.ts";
import type { Area, MerchantContext } from "../context.ts";
import type { CreatedRange } from "../list-window.ts";
import { maySee, type SeenWith } from "../members/index.ts";
import type { Found, Window } from "../pagination.ts";
import { readPayoutsWithin } from "../payouts/index.ts";
import { readPurchasesWithin } from "../vtu/index.ts";
import type { ListTransactionsQuery, TransactionState } from "./contract.ts";
import {
  fromLink,
  fromOperation,
  fromPayout,
  fromPurchase,
  fromRefund,
  fromSpend,
  STATE_OF_LINK,
  STATE_OF_OPERATION,
  STATE_OF_PAYOUT,
  STATE_OF_PURCHASE,
  STATE_OF_REFUND,
  STATE_OF_SPEND,
  type Transaction,
} from "./transaction.ts";

type Filter = Omit<ListTransactionsQuery, "limit" | "cursor">;
type Read = (ctx: MerchantContext, window: Window) => Promise<Found<Transaction>>;

/** One kind of transactions, with a reader of its rows in a state and a range of times. */
export interface Source {
  kind: IdKind;
  read: Read;
}

interface Kind extends Pick<SeenWith, "permission"> {
  kind: IdKind;
  /** The area by which the list is filtered. Payouts belong to none that can be switched off. */
  area: Area | "payouts";
  /** Returns undefined where no row of the kind can have the state. */
  reader: (filter: Omit<Filter, "area">) => Read | undefined;
}

/** Returns the reader of a kind whose rows have a status that stands for a state. */
const readerOf =
  <Status extends string, Row>(
    stateOf: Record<Status, TransactionState>,
    readWithin: (ctx: MerchantContext, filter: CreatedRange & { status: Status | undefined }, window: Window) => Promise<Found<Row>>,
    toTransaction: (row: Row) => Transaction,
  ): Kind["reader"] =>
  ({ state, ...range }) => {
    const status = (Object.keys(stateOf) as Status[]).find((one) => stateOf[one] === state);
    if (state && !status) return undefined;
    return async (ctx, window) => {
      const { rows, stopped } = await readWithin(ctx, { ...range, status }, window);
      return { rows: rows.map(toTransaction), stopped };
    };
  };

const readMoneyOperations = (ctx: MerchantContext, filter: Parameters<typeof readOperationsWithin>[1], window: Window) =>
  readOperationsWithin(ctx, { ...filter, movesMoney: true }, window);

const KINDS: readonly Kind[] = [
  { kind: "paymentLink", area: "checkout", permission: "checkout:read", reader: readerOf(STATE_OF_LINK, readLinksWithin, fromLink) },
  { kind: "refund", area: "checkout", permission: "checkout:read", reader: readerOf(STATE_OF_REFUND, readRefundsWithin, fromRefund) },
  {
    ...{ kind: "cardOperation", area: "cards", permission: "cards:read" },
    reader: readerOf(STATE_OF_OPERATION, readMoneyOperations, fromOperation),
  },
  { kind: "cardTransaction", area: "cards", permission: "cards:read", reader: readerOf(STATE_OF_SPEND, readSpendWithin, fromSpend) },
  { kind: "purchase", area: "vtu", permission: "vtu:read", reader: readerOf(STATE_OF_PURCHASE, readPurchasesWithin, fromPurchase) },
  { kind: "payout", area: "payouts", permission: "wallet:read", reader: readerOf(STATE_OF_PAYOUT, readPayoutsWithin, fromPayout) },
];

/** Returns the kinds that a list asks for and that the caller may see in this merchant. */
export const sourcesFor = (ctx: MerchantContext, { area, ...filter }: Filter): Source[] =>
  KINDS.flatMap(({ kind, reader, permission, area: own }) => {
    if ((area && area !== own) || !maySee(ctx, own === "payouts" ? { permission } : { permission, area: own })) return [];
    const read = reader(filter);
    return read ? [{ kind, read }] : [];
  });
