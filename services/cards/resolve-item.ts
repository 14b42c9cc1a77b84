import { and, eq, ne, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { suspenseItems } from "#db/schema/ledger.ts";
import { merchants } from "#db/schema/tenants.ts";
import { type Money, money } from "#lib/money.ts";
import { noteByOperator } from "../audit/index.ts";
import { lastRate, toNairaDown } from "../exchange/index.ts";
import {
  FX_NGN,
  FX_USD,
  mustPost,
  REVENUE_SPREAD,
  SETTLEMENT_ISSUER,
  SUSPENSE_ISSUER,
  type Transfer,
  walletCredit,
} from "../ledger/index.ts";
import { isLookedAtAgain, lockCard, processingOf } from "./rows.ts";

type Item = typeof suspenseItems.$inferSelect;

/** `credit`: the dollars are the merchant's, and their worth goes to its wallet at the unload rate. `dismiss`: they are the issuer's. */
export type Resolution = "credit" | "dismiss";

/**
 * Takes a difference with an issuer out of suspense. The reason goes to the audit. Returns false where there is no such open item, where
 * it is to be credited and is below zero, or where an operation of its card is processing or looked at again and may explain it yet.
 * Locks: card, item, ledger accounts.
 */
export async function resolveItem(id: string, resolution: Resolution, reason: string): Promise<boolean> {
  return transaction(async (tx) => {
    const item = await findLocked(tx, id);
    if (!item || (resolution === "credit" && item.open < 0n)) return false;
    const { merchantId, moves } = item;
    await tx
      .update(suspenseItems)
      .set({ open: 0n, moves: moves + 1, resolvedAt: sql`now()`, resolution: `${resolution}: ${reason}` })
      .where(and(eq(suspenseItems.merchantId, merchantId), eq(suspenseItems.id, id)));
    await mustPost(tx, merchantId, resolution === "credit" ? await credited(tx, item) : [dismissed(item)]);
    await noteByOperator(tx, merchantId, { action: `suspense.${resolution}`, subject: `${id}: ${reason}` });
    return true;
  });
}

/** Spend that explains an item takes from it under the lock of its card. Undefined where the item is closed, or may not be resolved yet. */
async function findLocked(tx: Tx, id: string): Promise<Item | undefined> {
  const isOpen = and(eq(suspenseItems.id, id), ne(suspenseItems.open, 0n));
  const [seen] = await tx.select().from(suspenseItems).where(isOpen);
  if (!seen) return undefined;
  const card = await lockCard(tx, seen.merchantId, seen.cardId);
  if ((await processingOf(tx, card)).length > 0 || (await isLookedAtAgain(tx, card))) return undefined;
  const [item] = await tx.select().from(suspenseItems).where(isOpen).for("update");
  return item;
}

const usd = (cents: bigint): Money => money(cents, "USD");

function dismissed({ id, moves, open, cardId }: Item): Transfer {
  const [debit, credit] = open > 0n ? [SUSPENSE_ISSUER, SETTLEMENT_ISSUER] : [SETTLEMENT_ISSUER, SUSPENSE_ISSUER];
  const meta = { type: "suspense_dismissed", reference: cardId };
  return { kind: "post", key: `${id}:${moves + 1}:issuer`, debit, credit, amount: usd(open > 0n ? open : -open), meta };
}

async function credited(tx: Tx, { merchantId, id, moves, open, cardId }: Item): Promise<Transfer[]> {
  const [merchant] = await tx.select().from(merchants).where(eq(merchants.id, merchantId));
  if (!merchant) throw new Error(`no merchant ${merchantId}`);
  const { buy, mid } = await lastRate(tx, merchant);
  const key = `${id}:${moves + 1}`;
  const meta = { type: "card_refund", reference: cardId, exchange_rate: String(buy) };
  const worth = toNairaDown(usd(open), buy);
  const spread = money(toNairaDown(usd(open), mid).minor - worth.minor, "NGN");
  return [
    { kind: "post", key: `${key}:credit`, debit: SUSPENSE_ISSUER, credit: FX_USD, amount: usd(open), meta },
    ...(spread.minor > 0n
      ? [{ kind: "post" as const, key: `${key}:spread`, debit: FX_NGN, credit: REVENUE_SPREAD, amount: spread, meta }]
      : []),
    ...(worth.minor > 0n ? [walletCredit({ key: `${key}:wallet`, from: FX_NGN, amount: worth, meta })] : []),
  ];
}
