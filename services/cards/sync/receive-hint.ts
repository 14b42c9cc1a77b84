import { and, eq, isNotNull, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardholders, issuerReferences } from "#db/schema/cards.ts";
import type { IssuerNotice } from "#providers/issuer.ts";
import type { SystemContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import { checkOrLog } from "../cardholders/check-cardholders.ts";
import { makeCardDue } from "../rows.ts";
import { LEASE_MS } from "../schedule.ts";
import { syncIfDue } from "./sync-cards.ts";

/**
 * Takes an issuer's hint that a card or a cardholder has changed, and reads that card or cardholder at once. Before that, stores that it is
 * due: if the reading fails, the worker repeats it, so the notice may be acknowledged. Ignores an unknown reference: a card that was just
 * issued is synced anyway.
 */
export const receiveHint = verb(
  { actor: ["system"] },
  async (_ctx: SystemContext, provider: string, { reference }: IssuerNotice): Promise<void> => {
    const [known] = await db()
      .select()
      .from(issuerReferences)
      .where(and(eq(issuerReferences.provider, provider), eq(issuerReferences.reference, reference)));
    if (!known) return;
    const { merchantId, subjectId } = known;
    if (known.subject === "card") {
      await makeCardDue(db(), { merchantId, id: subjectId });
      return syncIfDue(merchantId, subjectId);
    }
    const [cardholder] = await db()
      .update(cardholders)
      // If this process dies, the worker checks the cardholder once the lease ends.
      .set({ nextCheckAt: sql`now() + ${LEASE_MS} * interval '1 ms'` })
      .where(and(eq(cardholders.merchantId, merchantId), eq(cardholders.id, Number(subjectId)), isNotNull(cardholders.nextCheckAt)))
      .returning();
    if (cardholder) await checkOrLog(cardholder);
  },
);
