import { and, eq, gt, sql } from "drizzle-orm";
import { db, transaction } from "#db/client.ts";
import { cards } from "#db/schema/cards.ts";
import { cardTransactions } from "#db/schema/spend.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { log } from "#lib/log.ts";
import type { Issuer } from "#providers/issuer.ts";
import type { SystemContext } from "../../context.ts";
import { appendEvent } from "../../events/index.ts";
import { issuers } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { type TransactionRow, transactionFromRow } from "../card-transaction.ts";
import { presentTransaction } from "../present.ts";
import { isEnding, lockCard, makeCardDue } from "../rows.ts";
import { EXPIRED_AFTER_MS } from "../schedule.ts";
import { isOf, keepOpen, postTo } from "./record-transaction.ts";
import { expiryKeyOf } from "./spend-effect.ts";

/**
 * Releases the holds of authorizations that shops neither cleared nor reversed within the issuer's term and `EXPIRED_AFTER_MS`. A later
 * clearing takes the money again. Returns how many authorizations were due, at most `limit` per issuer.
 */
export const releaseExpiredAuthorizations = verb(
  { actor: ["system"] },
  async (_ctx: SystemContext, limit: number = 50): Promise<number> => {
    let done = 0;
    for (const issuer of issuers.all()) {
      const due = await dueAt(issuer, limit);
      await forEachAtOnce(due, releaseOrLog);
      done += due.length;
    }
    return done;
  },
);

type TransactionKey = Pick<TransactionRow, "merchantId" | "cardId" | "id">;

function dueAt({ name, capabilities }: Issuer, limit: number): Promise<TransactionKey[]> {
  const { merchantId, cardId, id } = cardTransactions;
  return db()
    .select({ merchantId, cardId, id })
    .from(cardTransactions)
    .innerJoin(cards, and(eq(cards.merchantId, merchantId), eq(cards.id, cardId)))
    .where(
      and(
        gt(cardTransactions.openAmount, 0n),
        // The card's earlier spend is passed on first, because a charge and the later release must be settled separately.
        eq(cardTransactions.awaitsPassingOn, false),
        sql`${cardTransactions.occurredAt} < now() - ${capabilities.authorizationsLastMs + EXPIRED_AFTER_MS} * interval '1 ms'`,
        eq(cards.provider, name),
      ),
    )
    .orderBy(cardTransactions.occurredAt)
    .limit(limit);
}

/** Logs an error instead of throwing it, so that one authorization delays no other. */
async function releaseOrLog(name: TransactionKey): Promise<void> {
  try {
    await release(name);
  } catch (error) {
    log().error({ transactionId: name.id, err: error }, "an expired authorization could not be released; it is tried again");
  }
}

/** Releases the hold of one authorization. Locks: card, ledger accounts, event counter. */
async function release(name: TransactionKey): Promise<void> {
  await transaction(async (tx) => {
    const card = await lockCard(tx, name.merchantId, name.cardId);
    const [row] = await tx.select().from(cardTransactions).where(isOf(name));
    if (!row?.holdKey) return;
    const expired = await keepOpen(tx, { row, amount: 0n, holdKey: null });
    const meta = { type: "card_transaction", reference: row.id };
    const isEnded = card.status === "TERMINATED";
    const isLate = isEnded || (await isEnding(tx, card));
    const released = await postTo(tx, card, [{ kind: "release", key: expiryKeyOf(row.id), target: row.holdKey, meta }]);
    const change = isLate ? released : row.change + released;
    await tx
      .update(cardTransactions)
      .set({ change, awaitsPassingOn: isLate && change !== 0n })
      .where(isOf(row));
    if (isEnded) await makeCardDue(tx, card);
    await appendEvent(tx, row.merchantId, "card.transaction", presentTransaction(transactionFromRow(expired)));
  });
}
