import type { OperatorContext, TenantContext } from "#services/context.ts";
import { findMerchant } from "#services/merchants/index.ts";

/** An error that the caller can correct. Its message is shown in one line. */
export class Misuse extends Error {
  override name = "Misuse";
}

/** The context of the person at the command line. */
export const operator: OperatorContext = { actor: { type: "cli", id: "operator" }, requestId: null, address: null };

export interface Named extends TenantContext {
  businessId: string;
}

/** Returns the context of the merchant that a command names. Throws `Misuse` if there is no such merchant. */
export async function merchantNamed(id: string): Promise<Named> {
  const merchant = await findMerchant(operator, id);
  if (!merchant) throw new Misuse(`There is no merchant ${id}. See: npm run oja -- list`);
  return { ...operator, merchant, businessId: merchant.businessId };
}
