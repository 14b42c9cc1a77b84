import { transaction } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import type { MerchantContext } from "../context.ts";
import type { EndpointWithSecret } from "./endpoint.ts";
import { lockEndpoint } from "./read-endpoints.ts";
import { addSecret } from "./secrets.ts";

/** Gives an endpoint a new secret, shown in this answer alone. The old one signs beside it for `overlapMs`. Throws RESOURCE_NOT_FOUND. */
export async function rollSecret(ctx: MerchantContext, id: string, overlapMs: number): Promise<EndpointWithSecret> {
  return transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, ctx, id);
    const secretId = ctx.resourceId ?? newId("webhookSecret");
    const secret = await addSecret(tx, { merchantId: endpoint.merchantId, endpointId: id }, { id: secretId, overlapMs });
    return { ...endpoint, secret };
  });
}
