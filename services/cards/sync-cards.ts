import { and, eq, lte, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cards } from "#db/schema/cards.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { log } from "#lib/log.ts";
import type { SystemContext } from "../context.ts";
import { issuers } from "../providers/index.ts";
import type { CardRow } from "./card.ts";
import { closeAsIssuerDid } from "./close-as-issuer-did.ts";
import { passOnWhatIsLeft } from "./pass-on.ts";
import { readNews } from "./read-news.ts";
import { resolveOperationsOf } from "./resolve-operations.ts";
import { readCardAgain } from "./rows.ts";
import { LEASE_MS, SYNC_EVERY_MS, SYNC_TERMINATED_FOR_MS } from "./schedule.ts";

/** Reads from the issuer what is new about a card: what became of its operations, and its spend. */
export async function syncCard(card: CardRow): Promise<void> {
  await resolveOperationsOf(card);
  const issuer = issuers.named(card.provider);
  if (!issuer) throw new Error(`card ${card.id} is at an issuer that is not known here`);
  // As it is after its operations were looked at.
  const known = await readCardAgain(card);
  await readNews(issuer, known);
  if (known.status === "ACTIVE" || known.status === "FROZEN") await closeAsIssuerDid(issuer, known);
  // Only a list that was read after the end has all that came before it.
  if (known.status === "TERMINATED") await passOnWhatIsLeft(known);
}

/** Syncs one card that is due, unless somebody else has just begun to. */
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

/** Unless a notice came meanwhile, which has made it due at once. */
async function planNext({ merchantId, id, nextSyncAt }: CardRow): Promise<void> {
  const next = sql`case
    when status in ('PENDING', 'FAILED') or terminated_at < now() - ${SYNC_TERMINATED_FOR_MS} * interval '1 ms' then null
    else now() + ${SYNC_EVERY_MS} * interval '1 ms' end`;
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

/** Syncs cards that are due, of all merchants. Returns how many were. */
export async function syncDueCards(_ctx: SystemContext, limit = 50): Promise<number> {
  const due = await db()
    .select({ merchantId: cards.merchantId, id: cards.id })
    .from(cards)
    .where(lte(cards.nextSyncAt, sql`now()`))
    .orderBy(cards.nextSyncAt)
    .limit(limit);
  await forEachAtOnce(due, ({ merchantId, id }) => syncIfDue(merchantId, id));
  return due.length;
}
