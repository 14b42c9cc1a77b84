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

// Differences with issuers over cards that have ended. Each is one row, and its cents are in `suspense:issuer` of its merchant.

export type Item = typeof suspenseItems.$inferSelect;

export const openItems = (tx: Tx, { merchantId, id }: CardRow, kind: Item["kind"]): Promise<Item[]> =>
  tx
    .select()
    .from(suspenseItems)
    .where(
      and(eq(suspenseItems.merchantId, merchantId), eq(suspenseItems.cardId, id), eq(suspenseItems.kind, kind), ne(suspenseItems.open, 0n)),
    )
    .orderBy(suspenseItems.id);

/** Cents that the issuer kept of a card that has ended, and that wait in suspense. */
export async function keptOf(tx: Tx, card: CardRow): Promise<bigint> {
  const items = await openItems(tx, card, "kept_by_issuer");
  return items.reduce((sum, { open }) => (open > 0n ? sum + open : sum), 0n);
}

export interface Taking {
  /** Of the item; below zero where the item is. */
  cents: bigint;
  /** The account that gets them. */
  to: string;
  /** Ends the key of the transfer. */
  suffix: string;
  /** The type of the ledger entry. */
  type: string;
  meta?: Record<string, string>;
  /** Why the item is closed, where nothing is left of it. */
  resolution: string;
}

/** Takes cents out of suspense. Returns the transfer to post. */
export async function takeFrom(tx: Tx, item: Item, { cents, to, suffix, type, meta, resolution }: Taking): Promise<Transfer> {
  const { merchantId, id, open, moves, cardId } = item;
  await tx
    .update(suspenseItems)
    .set({ open: open - cents, moves: moves + 1, ...(open === cents && { resolvedAt: sql`now()`, resolution }) })
    .where(and(eq(suspenseItems.merchantId, merchantId), eq(suspenseItems.id, id)));
  return between({ key: `${keyOfMove(item)}:${suffix}`, from: SUSPENSE_ISSUER, to, cents, meta: { type, reference: cardId, ...meta } });
}

/** Returns the beginning of the keys of the transfers that the next move of an item posts. */
export const keyOfMove = ({ id, moves }: Item): string => `${id}:${moves + 1}`;

/** Puts a difference that nothing explains into suspense, and tells the operators. */
export async function keep(
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
  return between({ key: `${id}:0:${suffix}`, from, to: SUSPENSE_ISSUER, cents, meta: { type: "suspense", reference: cardId } });
}

const usd = (minor: bigint) => money(minor, "USD");
export const size = (cents: bigint): bigint => (cents < 0n ? -cents : cents);

/** Cents from one account to another; below zero, back. */
function between({
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
  return { kind: "post", key, debit, credit, amount: usd(size(cents)), meta };
}
