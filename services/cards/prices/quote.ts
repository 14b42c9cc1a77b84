import { db } from "#db/client.ts";
import type { Money } from "#lib/money.ts";
import type { MerchantContext } from "../../context.ts";
import { getCardRow, obstaclesOf } from "../rows.ts";
import { requireAllowed } from "../state-machine.ts";
import { type Price, priceOfFunding, priceOfUnload } from "./prices.ts";

/** The price that an operation would have now. Nothing is held or stored, so the price may change before the operation. */
export interface Quote extends Price {
  type: "fund" | "unload";
}

/**
 * Returns the price of funding a card with `amount`, as `fundCard` computes it. Reads neither the wallet's balance nor the card's. Throws
 * RESOURCE_NOT_FOUND, CARD_FROZEN, CARD_TERMINATED, CARD_NOT_ACTIVE, PROVIDER_UNAVAILABLE (no valid rate).
 */
export async function quoteFunding(ctx: MerchantContext, cardId: string, amount: Money): Promise<Quote> {
  await requirePossible(ctx, cardId, "fund");
  return { type: "fund", ...(await priceOfFunding(db(), ctx.merchant, amount)) };
}

/** As `quoteFunding`, for `unloadCard`. */
export async function quoteUnload(ctx: MerchantContext, cardId: string, amount: Money): Promise<Quote> {
  await requirePossible(ctx, cardId, "unload");
  return { type: "unload", ...(await priceOfUnload(db(), ctx.merchant, amount)) };
}

async function requirePossible(ctx: MerchantContext, cardId: string, type: Quote["type"]): Promise<void> {
  const card = await getCardRow(ctx, cardId);
  requireAllowed(card.status, type, await obstaclesOf(db(), card));
}
