import { and, eq, ne, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { suspenseItems } from "#db/schema/ledger.ts";
import { newId } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { formatMoney, money } from "#lib/money.ts";
import { raiseOperatorAlert } from "../alerts/index.ts";
import { SUSPENSE_ISSUER, type Transfer } from "../ledger/index.ts";
import { modeOf } from "../providers/index.ts";
import type { CardRow } from "./card.ts";

// Differences with issuers over terminated cards. Each difference is one row, and its cents are in the merchant's account
// `suspense:issuer`.

export type Item = typeof suspenseItems.$inferSelect;

export const openItems = (tx: Tx, { merchantId, id }: CardRow, kind: Item["kind"]): Promise<Item[]> =>
  tx
    .select()
    .from(suspenseItems)
    .where(
      and(eq(suspenseItems.merchantId, merchantId), eq(suspenseItems.cardId, id), eq(suspenseItems.kind, kind), ne(suspenseItems.open, 0n)),
    )
    .orderBy(suspenseItems.id);

/** Returns the US cents of a terminated card that the issuer kept, and that wait in suspense. */
export async function keptOf(tx: Tx, card: CardRow): Promise<bigint> {
  const items = await openItems(tx, card, "kept_by_issuer");
  return items.reduce((sum, { open }) => (open > 0n ? sum + open : sum), 0n);
}

export interface Taking {
  /** US cents of the item to take; below zero if the item is below zero. */
  cents: bigint;
  /** The account that gets the cents. */
  to: string;
  /** The last part of the transfer's key. */
  suffix: string;
  /** The type of the ledger entry. */
  type: string;
  meta?: Record<string, string>;
  /** The reason that is stored if this closes the item. */
  resolution: string;
}

/** Takes cents out of an item, and closes the item if none are left. Returns the transfer to post. */
export async function takeFrom(tx: Tx, item: Item, { cents, to, suffix, type, meta, resolution }: Taking): Promise<Transfer> {
  const { merchantId, id, open, moves, cardId } = item;
  await tx
    .update(suspenseItems)
    .set({ open: open - cents, moves: moves + 1, ...(open === cents && { resolvedAt: sql`now()`, resolution }) })
    .where(and(eq(suspenseItems.merchantId, merchantId), eq(suspenseItems.id, id)));
  return transferBetween({
    key: `${keyOfMove(item)}:${suffix}`,
    from: SUSPENSE_ISSUER,
    to,
    cents,
    meta: { type, reference: cardId, ...meta },
  });
}

/** Returns the prefix of the keys of the transfers that an item's next move posts. */
export const keyOfMove = ({ id, moves }: Item): string => `${id}:${moves + 1}`;

/** Puts an unexplained difference into suspense, and alerts the operators. Returns the transfer to post. */
export async function putInSuspense(
  tx: Tx,
  { merchantId, id: cardId, provider }: CardRow,
  { kind, cents, from, suffix }: { kind: Item["kind"]; cents: bigint; from: string; suffix: string },
): Promise<Transfer> {
  const id = newId("suspenseItem");
  await tx.insert(suspenseItems).values({ merchantId, id, kind, cardId, amount: cents, open: cents });
  log().fatal({ cardId, merchantId, kind, cents: String(cents) }, "a card ended with a difference that its spend does not explain");
  const amount = formatMoney(usd(cents));
  const message =
    kind === "kept_by_issuer"
      ? `Card ${cardId} of ${merchantId} ended, and ${amount} of it neither came back nor was spent.`
      : `Card ${cardId} of ${merchantId} ended, and ${provider} says that it returned ${amount} more than our books explain.`;
  await raiseOperatorAlert(tx, modeOf(provider), { type: "suspense.opened", resourceId: id, message });
  return transferBetween({ key: `${id}:0:${suffix}`, from, to: SUSPENSE_ISSUER, cents, meta: { type: "suspense", reference: cardId } });
}

const usd = (minor: bigint) => money(minor, "USD");
export const absolute = (cents: bigint): bigint => (cents < 0n ? -cents : cents);

/** Returns a transfer of US cents from one account to another; of negative cents, the other way. */
function transferBetween({
  key,
  from,
  to,
  cents,
  meta,
}: {
  key: string;
  from: string;
  to: string;
  cents: bigint;
  meta: Record<string, string>;
}): Transfer {
  const [debit, credit] = cents > 0n ? [from, to] : [to, from];
  return { kind: "post", key, debit, credit, amount: usd(absolute(cents)), meta };
}
