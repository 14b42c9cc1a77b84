import { eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardOperations } from "#db/schema/cards.ts";
import { suspenseItems } from "#db/schema/ledger.ts";

/** Returns the merchant of a card operation, for operators, who name no merchant. Undefined for an unknown one. */
export async function findMerchantOfOperation(id: string): Promise<string | undefined> {
  const [row] = await db().select({ merchantId: cardOperations.merchantId }).from(cardOperations).where(eq(cardOperations.id, id));
  return row?.merchantId;
}

/** Returns the merchant of a difference with an issuer, as `findMerchantOfOperation` does. */
export async function findMerchantOfItem(id: string): Promise<string | undefined> {
  const [row] = await db().select({ merchantId: suspenseItems.merchantId }).from(suspenseItems).where(eq(suspenseItems.id, id));
  return row?.merchantId;
}
