import { and, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cards } from "#db/schema/cards.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { money } from "#lib/money.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../../context.ts";
import { cardAccount } from "../../ledger/index.ts";
import { type Card, cardFromRow } from "../card.ts";

/** Returns a card of the merchant. Reads card and balance in one statement, so that both are of one moment. */
export async function findCard({ merchant }: MerchantContext, id: string): Promise<Card | undefined> {
  const [row] = await db()
    .select({ card: cards, cents: ledgerAccounts.available })
    .from(cards)
    .leftJoin(ledgerAccounts, and(eq(ledgerAccounts.merchantId, merchant.id), eq(ledgerAccounts.account, cardAccount(id))))
    .where(and(eq(cards.merchantId, merchant.id), eq(cards.id, id)));
  return row && cardFromRow(row.card, money(row.cents ?? 0n, "USD"));
}

/** As `findCard`. Throws RESOURCE_NOT_FOUND. */
export async function getCard(ctx: MerchantContext, id: string): Promise<Card> {
  const card = await findCard(ctx, id);
  if (!card) throw notFound("card");
  return card;
}
