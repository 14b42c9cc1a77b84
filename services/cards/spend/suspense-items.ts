import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { suspenseItems } from "#db/schema/ledger.ts";
import { newId } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { formatMoney, money } from "#lib/money.ts";
import { raiseOperatorAlert } from "../../alerts/index.ts";
import { cardAccount, SETTLEMENT_ISSUER, SUSPENSE_ISSUER, type Transfer } from "../../ledger/index.ts";
import { modeOf } from "../../providers/index.ts";
import type { CardRow } from "../card.ts";

// Differences with issuers over terminated cards. Each difference is one row. Its open cents are in the merchant's account
// `suspense:issuer`; the cents that an operator resolved stay on the row until spend or a correction explains them.

export type Item = typeof suspenseItems.$inferSelect;

/** The column of an item's cents: `open` in suspense, `credited` or `dismissed` by an operator, or `spent`, which spend has explained. */
export type Part = "open" | "credited" | "dismissed" | "spent";

/** Returns the differences of a card that nothing explains yet, oldest first, also those that an operator resolved. */
export const unexplainedItems = (tx: Tx, { merchantId, id }: CardRow, kind: Item["kind"]): Promise<Item[]> =>
  tx
    .select()
    .from(suspenseItems)
    .where(
      and(
        eq(suspenseItems.merchantId, merchantId),
        eq(suspenseItems.cardId, id),
        eq(suspenseItems.kind, kind),
        sql`(${suspenseItems.open} <> 0 or ${suspenseItems.credited} <> 0 or ${suspenseItems.dismissed} <> 0 or ${suspenseItems.spent} <> 0)`,
      ),
    )
    .orderBy(suspenseItems.id);

/**
 * Takes explained cents from a part of an item, and closes the item if none are open. `bySpend` of them were explained by spend, which is
 * stored, because an unload instead of a shop may later prove to have taken the kept cents, or a funding may explain the returned ones. Returns
 * the item as it is now.
 */
export const explainPart = (tx: Tx, item: Item, part: Part, cents: bigint, bySpend = 0n): Promise<Item> =>
  changeItem(tx, item, {
    [part]: item[part] - cents,
    ...(bySpend !== 0n && { spent: item.spent + bySpend }),
    ...closing(item, part === "open" ? cents : 0n, "Spend or a correction explains it."),
  });

/** Moves the open cents of an item to the part that an operator decided, and closes it. Returns the item as it is now. */
export const resolveOpen = (tx: Tx, item: Item, part: "credited" | "dismissed", resolution: string): Promise<Item> =>
  changeItem(tx, item, { [part]: item[part] + item.open, ...closing(item, item.open, resolution) });

const closing = ({ open }: Item, cents: bigint, resolution: string) =>
  cents === 0n ? {} : { open: open - cents, ...(open === cents && { resolvedAt: sql`now()`, resolution }) };

async function changeItem(tx: Tx, { merchantId, id, moves }: Item, changes: Parameters<ReturnType<Tx["update"]>["set"]>[0]): Promise<Item> {
  const [changed] = await tx
    .update(suspenseItems)
    .set({ ...changes, moves: moves + 1 })
    .where(and(eq(suspenseItems.merchantId, merchantId), eq(suspenseItems.id, id)))
    .returning();
  if (!changed) throw new Error(`suspense item ${id} is gone`);
  return changed;
}

interface Move {
  /** US cents. For a negative item they are negative, and move in the other direction. */
  cents: bigint;
  from: string;
  to: string;
  /** The last part of the transfer's key. */
  suffix: "card" | "issuer" | "credit";
  /** The type of the ledger entry. */
  type: "suspense_explained" | "suspense_dismissed" | "card_refund";
  meta?: Record<string, string>;
}

/** Returns the transfer of an item's last move. */
export const transferOfMove = (item: Item, { cents, from, to, suffix, type, meta }: Move): Transfer =>
  transferBetween({ key: `${keyOfMove(item)}:${suffix}`, from, to, cents, meta: { type, reference: item.cardId, ...meta } });

/** Returns the account of a part's cents: suspense, or, after an operator resolved them, the account of the issuer's other money. */
export const accountOf = (part: Part): string => (part === "open" ? SUSPENSE_ISSUER : SETTLEMENT_ISSUER);

/** Returns the prefix of the keys of the transfers of an item's last move. */
export const keyOfMove = ({ id, moves }: Item): string => `${id}:${moves}`;

interface NewDifference {
  kind: Item["kind"];
  /** US cents. */
  cents: bigint;
  /** The part of `cents` that late spend explains already. */
  spent?: bigint;
}

/** Puts an unexplained difference into suspense, and alerts the operators. Returns the transfers to post. */
export async function putInSuspense(
  tx: Tx,
  { merchantId, id: cardId, provider }: CardRow,
  { kind, cents: amount, spent = 0n }: NewDifference,
): Promise<Transfer[]> {
  const id = newId("suspenseItem");
  const cents = amount - spent;
  const closed = cents === 0n && { resolvedAt: sql`now()`, resolution: "Spend or a correction explains it." };
  await tx.insert(suspenseItems).values({ merchantId, id, kind, cardId, amount, open: cents, spent, ...closed });
  if (cents === 0n) return [];
  log().fatal({ cardId, merchantId, kind, cents: String(cents) }, "a card ended with a difference that its spend does not explain");
  const dollars = formatMoney(usd(cents));
  const message =
    kind === "kept_by_issuer"
      ? `Card ${cardId} of ${merchantId} ended, and ${dollars} of it neither came back nor was spent.`
      : `Card ${cardId} of ${merchantId} ended, and ${provider} says that it returned ${dollars} more than our books explain.`;
  await raiseOperatorAlert(tx, modeOf(provider), { type: "suspense.opened", resourceId: id, message });
  const [from, suffix] = kind === "kept_by_issuer" ? [cardAccount(cardId), "card"] : [SETTLEMENT_ISSUER, "issuer"];
  return [transferBetween({ key: `${id}:0:${suffix}`, from, to: SUSPENSE_ISSUER, cents, meta: { type: "suspense", reference: cardId } })];
}

const usd = (minor: bigint) => money(minor, "USD");
const absolute = (cents: bigint): bigint => (cents < 0n ? -cents : cents);

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
