import { and, eq, lte, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cards } from "#db/schema/cards.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { log } from "#lib/log.ts";
import type { SystemContext } from "../../context.ts";
import { issuers } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import type { CardRow } from "../card.ts";
import { resolveOperationsOf } from "../operations/resolve.ts";
import { readCardAgain } from "../rows.ts";
import { LEASE_MS, SYNC_EVERY_MS, SYNC_TERMINATED_FOR_MS } from "../schedule.ts";
import { recordNewSpend } from "../spend/record-new-spend.ts";
import { passOnBalance } from "./pass-on-balance.ts";
import { terminateClosedCard } from "./terminate-closed-card.ts";

/**
 * Syncs a card with its issuer: settles its operations, records its spend, and settles its end if the issuer closed it or it is terminated.
 * Throws an Error if the issuer is unknown or the spend cannot be read.
 */
export async function syncCard(card: CardRow): Promise<void> {
  await resolveOperationsOf(card);
  const issuer = issuers.named(card.provider);
  if (!issuer) throw new Error(`card ${card.id} is at an issuer that is not known here`);
  // Read again, because settling its operations may have changed the card.
  const known = await readCardAgain(card);
  await recordNewSpend(issuer, known);
  if (known.status === "ACTIVE" || known.status === "FROZEN") await terminateClosedCard(issuer, known);
  // Only a list read after the termination contains all spend before it. `known` was already TERMINATED before this list was read.
  if (known.status === "TERMINATED") await passOnBalance(known);
}

/** Takes the lease of a card and syncs the card, if it is due. Logs an error instead of throwing it. */
export async function syncIfDue(merchantId: string, id: string): Promise<void> {
  const [claimed] = await db()
    .update(cards)
    .set({ nextSyncAt: sql`now() + ${LEASE_MS} * interval '1 ms'` })
    .where(and(eq(cards.merchantId, merchantId), eq(cards.id, id), lte(cards.nextSyncAt, sql`now()`)))
    .returning();
  if (!claimed) return;
  try {
    await syncCard(claimed);
    await planNext(claimed);
  } catch (error) {
    log().error({ cardId: id, err: error }, "a card could not be synced; it is tried again");
  }
}

/** Schedules the next sync, unless the card became due again during this one, for example by a notice. */
async function planNext({ merchantId, id, nextSyncAt }: CardRow): Promise<void> {
  const next = sql`case
    when status in ('PENDING', 'FAILED') or terminated_at < (select now() - ${SYNC_TERMINATED_FOR_MS} * interval '1 ms') then null
    else (select now()) + ${SYNC_EVERY_MS} * interval '1 ms' end`;
  await db()
    .update(cards)
    .set({ nextSyncAt: next })
    .where(
      and(
        eq(cards.merchantId, merchantId),
        eq(cards.id, id),
        sql`${cards.nextSyncAt} = ${nextSyncAt?.toISOString() ?? null}::text::timestamptz`,
      ),
    );
}

/** Syncs the due cards of all merchants. Returns how many were due, at most `limit`. */
export const syncDueCards = verb({ actor: ["system"] }, async (_ctx: SystemContext, limit: number = 50): Promise<number> => {
  const due = await db()
    .select({ merchantId: cards.merchantId, id: cards.id })
    .from(cards)
    .where(lte(cards.nextSyncAt, sql`now()`))
    .orderBy(cards.nextSyncAt)
    .limit(limit);
  await forEachAtOnce(due, ({ merchantId, id }) => syncIfDue(merchantId, id));
  return due.length;
});
