import { and, desc, eq, lte } from "drizzle-orm";
import { db } from "#db/client.ts";
import { walletSeals } from "#db/schema/seals.ts";
import { Problem } from "#lib/problem.ts";
import type { MerchantContext } from "../context.ts";
import type { Seal } from "./seal.ts";

/** Returns the newest seal of the merchant's wallet at the entry `at` or before it. Throws RESOURCE_NOT_FOUND if there is none. */
export async function getProof({ merchant }: MerchantContext, at: bigint | undefined): Promise<Seal> {
  const [seal] = await db()
    .select()
    .from(walletSeals)
    .where(and(eq(walletSeals.merchantId, merchant.id), at === undefined ? undefined : lte(walletSeals.seq, at)))
    .orderBy(desc(walletSeals.seq))
    .limit(1);
  if (!seal) throw new Problem("RESOURCE_NOT_FOUND", "Nothing is sealed up to there. An entry is sealed within seconds.");
  return seal;
}
