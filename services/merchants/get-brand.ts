import { eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { businesses } from "#db/schema/tenants.ts";
import type { MerchantContext } from "../context.ts";

/** Returns the brand that payers of a merchant see. `logo` is a name for `findLogo`. */
export async function getBrand({ merchant }: MerchantContext) {
  const { name, brandColour, logo, supportEmail, supportPhone } = businesses;
  const [brand] = await db()
    .select({ name, brandColour, logo, supportEmail, supportPhone })
    .from(businesses)
    .where(eq(businesses.id, merchant.businessId));
  if (!brand) throw new Error(`merchant ${merchant.id} has no business`);
  return brand;
}
