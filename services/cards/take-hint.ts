import { and, eq, isNotNull, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardholders, issuerReferences } from "#db/schema/cards.ts";
import type { IssuerNotice } from "#providers/issuer.ts";
import type { SystemContext } from "../context.ts";
import { checkLoudly } from "./check-cardholders.ts";
import { makeCardDue } from "./rows.ts";
import { LEASE_MS } from "./schedule.ts";
import { syncIfDue } from "./sync-cards.ts";

/**
 * An issuer says that something is new. That it is due to be read again is durable when this returns, so the notice may be
 * acknowledged; it is read at once, and where that fails by the worker. What we do not know is nobody's: a card that was issued this
 * instant is read anyway.
 */
export async function takeHint(_ctx: SystemContext, provider: string, { reference }: IssuerNotice): Promise<void> {
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
    // Whoever sets it claims it; if this process dies, the worker takes it up.
    .set({ nextCheckAt: sql`now() + ${LEASE_MS} * interval '1 ms'` })
    .where(and(eq(cardholders.merchantId, merchantId), eq(cardholders.id, Number(subjectId)), isNotNull(cardholders.nextCheckAt)))
    .returning();
  if (cardholder) await checkLoudly(cardholder);
}
