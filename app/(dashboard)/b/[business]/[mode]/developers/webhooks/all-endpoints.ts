import type { MerchantContext } from "#services/context.ts";
import { type Endpoint, listEndpoints } from "#services/webhooks/index.ts";

/** A merchant has at most 20. */
const LIMIT = 100;

/** Returns all endpoints of a merchant, newest first. */
export async function allEndpoints(ctx: MerchantContext): Promise<Endpoint[]> {
  const { items } = await listEndpoints(ctx, { limit: LIMIT });
  return items;
}
