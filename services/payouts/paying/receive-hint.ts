import { and, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { payouts } from "#db/schema/payouts.ts";
import type { PayoutHint } from "#providers/payout-bank.ts";
import type { SystemContext } from "../../context.ts";
import { findMerchantOf } from "../../find-merchant-of.ts";
import { DUE_BY_HINT } from "../../money-out-reads.ts";
import { verb } from "../../verb.ts";
import { idOfReference } from "../payout.ts";
import { isPayout } from "../rows.ts";
import { resolveIfDue } from "./resolve.ts";

/**
 * Makes a payout due to be read, final or not, because its bank sent a notice about it. The due time is committed when this returns, so the notice may
 * be acknowledged. Reads the payout at once if it is due; otherwise, or after an error, the worker reads it. Ignores a reference that we do not know.
 */
export const receivePayoutHint = verb(
  { actor: ["system"] },
  async (_ctx: SystemContext, provider: string, { payoutToRead }: PayoutHint): Promise<void> => {
    const id = idOfReference(payoutToRead);
    const merchantId = await findMerchantOf(id);
    if (merchantId === undefined) return;
    const known = await db()
      .update(payouts)
      .set({ nextAttemptAt: DUE_BY_HINT })
      .where(and(isPayout({ merchantId, id }), eq(payouts.provider, provider)))
      .returning({ id: payouts.id });
    if (known.length > 0) await resolveIfDue({ merchantId, id });
  },
);
