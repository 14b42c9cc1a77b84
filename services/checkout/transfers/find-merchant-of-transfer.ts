import { eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { bankTransfers } from "#db/schema/checkout.ts";

/** Returns the merchant of a transfer, for operators, who name no merchant. Undefined for an unknown one. */
export async function findMerchantOfTransfer(id: string): Promise<string | undefined> {
  const [row] = await db().select({ merchantId: bankTransfers.merchantId }).from(bankTransfers).where(eq(bankTransfers.id, id));
  return row?.merchantId;
}
