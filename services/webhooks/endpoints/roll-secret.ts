import { transaction } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import type { MerchantContext } from "../../context.ts";
import { requireUnrestrictedInLive } from "../../members/index.ts";
import { verb } from "../../verb.ts";
import type { EndpointWithSecret } from "../endpoint.ts";
import { lockEndpoint } from "./read-endpoints.ts";
import { addSecret, noteNewSecret } from "./secrets.ts";

/**
 * Returns the endpoint with a new secret, which no later read returns. The older secrets sign beside it for at most `overlapMs`. Throws
 * RESOURCE_NOT_FOUND, VALIDATION_ERROR while too many secrets are live, and in live mode PERMISSION_DENIED while the member is restricted: with the
 * secret somebody can forge deliveries to the merchant's server.
 */
export const rollSecret = verb(
  { permission: "webhooks:write" },
  async (ctx: MerchantContext, id: string, overlapMs: number): Promise<EndpointWithSecret> => {
    await requireUnrestrictedInLive(ctx);
    return transaction(async (tx) => {
      const endpoint = await lockEndpoint(tx, ctx, id);
      const owner = { merchantId: endpoint.merchantId, endpointId: id };
      const rolled = { id: ctx.resourceId ?? newId("webhookSecret"), overlapMs };
      const { secret, isNew } = await addSecret(tx, owner, rolled);
      if (isNew) await noteNewSecret(tx, ctx, owner, rolled);
      return { ...endpoint, secret };
    });
  },
);
