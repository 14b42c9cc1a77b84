import { db, type Tx } from "#db/client.ts";
import { auditEntries } from "#db/schema/cards.ts";
import { newId } from "#lib/ids.ts";
import type { MerchantContext } from "../context.ts";

/** Notes for good that somebody asked for something which they may have to answer for. Durable when it returns. */
export async function noteInAudit({ merchant, actor, requestId }: MerchantContext, action: string, subject: string): Promise<void> {
  await db()
    .insert(auditEntries)
    .values({ merchantId: merchant.id, id: newId("auditEntry"), actorType: actor.type, actorId: actor.id, action, subject, requestId });
}

/** Notes what an operator did at the command line, in the transaction that does it. */
export async function noteByOperator(tx: Tx, merchantId: string, { action, subject }: { action: string; subject: string }): Promise<void> {
  await tx.insert(auditEntries).values({ merchantId, id: newId("auditEntry"), actorType: "cli", actorId: "operator", action, subject });
}
