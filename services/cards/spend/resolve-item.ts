import { and, eq, ne } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { suspenseItems } from "#db/schema/ledger.ts";
import type { ApprovedContext } from "../../approval.ts";
import { noteInAudit, requireReason } from "../../audit/index.ts";
import { FX_USD, mustPost, SETTLEMENT_ISSUER, SUSPENSE_ISSUER, type Transfer } from "../../ledger/index.ts";
import { verb } from "../../verb.ts";
import type { CardRow } from "../card.ts";
import { priceOf, worthToWallet } from "../prices/prices.ts";
import { awaitsRecheck, balanceOf, lockCard, processingOf } from "../rows.ts";
import { type Item, keyOfMove, resolveOpen, transferOfMove } from "./suspense-items.ts";

/** `credit`: the dollars belong to the merchant; their value goes to its wallet at the unload rate. `dismiss`: they are the issuer's. */
export type Resolution = "credit" | "dismiss";

/**
 * Takes a difference with an issuer out of suspense, and writes the reason to the audit. The item remembers the decision: spend and
 * corrections that come later draw on it first (`draw-on-differences.ts`). Returns false if there is no such open item, if an item below zero
 * is to be credited, or if something may still explain the item: an operation of the card that is `processing` or waits for a re-check, or
 * money on the card that is not passed on yet. Locks: card, item, ledger accounts, head of the audit.
 */
export const resolveItem = verb(
  { actor: ["operator"], approved: true },
  async (ctx: ApprovedContext, id: string, resolution: Resolution, reason: string): Promise<boolean> => {
    const why = requireReason(reason);
    const { tx } = ctx.approval;
    const found = await findLocked(tx, id);
    if (!found || (resolution === "credit" && found.item.open < 0n)) return false;
    const { card, item } = found;
    const transfers = resolution === "credit" ? await credit(tx, card, item, why) : [await dismiss(tx, item, why)];
    await mustPost(tx, item.merchantId, transfers);
    await noteInAudit(tx, ctx, {
      ...{ merchantId: item.merchantId, action: `suspense.${resolution}`, subject: id, reason: why },
      ...{ before: { open: String(item.open) }, after: { open: "0" } },
    });
    return true;
  },
);

/**
 * Locks the item and its card: late spend draws on an item under the card's lock. Returns undefined if the item is closed, or may not be
 * resolved yet.
 */
async function findLocked(tx: Tx, id: string): Promise<{ card: CardRow; item: Item } | undefined> {
  const isOpen = and(eq(suspenseItems.id, id), ne(suspenseItems.open, 0n));
  const [seen] = await tx.select().from(suspenseItems).where(isOpen);
  if (!seen) return undefined;
  const card = await lockCard(tx, seen.merchantId, seen.cardId);
  if ((await processingOf(tx, card)).length > 0 || (await awaitsRecheck(tx, card))) return undefined;
  if ((await balanceOf(tx, card)).minor !== 0n) return undefined;
  const [item] = await tx.select().from(suspenseItems).where(isOpen).for("update");
  return item && { card, item };
}

async function dismiss(tx: Tx, item: Item, reason: string): Promise<Transfer> {
  const resolved = await resolveOpen(tx, item, "dismissed", `dismiss: ${reason}`);
  const move = { cents: item.open, from: SUSPENSE_ISSUER, to: SETTLEMENT_ISSUER } as const;
  return transferOfMove(resolved, { ...move, suffix: "issuer", type: "suspense_dismissed" });
}

async function credit(tx: Tx, card: CardRow, item: Item, reason: string): Promise<Transfer[]> {
  const { credited, rate, mid } = await priceOf(tx, card, item.open);
  const type = "card_refund";
  const meta = { exchange_rate: String(rate) };
  const resolved = await resolveOpen(tx, item, "credited", `credit: ${reason}`);
  const taken = transferOfMove(resolved, { cents: item.open, from: SUSPENSE_ISSUER, to: FX_USD, suffix: "credit", type, meta });
  return [
    taken,
    ...worthToWallet(credited, { key: keyOfMove(resolved), rates: { rate, mid }, meta: { type, reference: card.id, ...meta } }),
  ];
}
