import { and, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardTransactions } from "#db/schema/spend.ts";
import { newReference } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { invalid, notFound, Problem } from "#lib/problem.ts";
import type { MerchantContext } from "../../context.ts";
import { sandboxIssuerFor } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import type { CardRow } from "../card.ts";
import { type CardTransaction, type TransactionRow, transactionFromRow } from "../card-transaction.ts";
import type { SimulateSpend } from "../contract.ts";
import { getCardRow } from "../rows.ts";
import { SpendUnreadable } from "../spend/record-new-spend.ts";
import { requireAllowed } from "../state-machine.ts";
import { syncCard } from "./sync-cards.ts";

const WHY_NOT: Record<string, string> = {
  nothing_to_reverse: "A reversal needs the id of an authorization of which so much is still open, or of a clearing of that amount.",
  related_not_found: "Send the id of an authorization or a clearing of this card.",
  more_than_was_taken: "A refund gives back at most the amount of what it follows. Send less, or no related_transaction_id.",
};

/**
 * Simulates spend at a shop, in test mode. Returns the transaction as the issuer lists it. Throws RESOURCE_NOT_FOUND, CARD_NOT_ACTIVE,
 * VALIDATION_ERROR, and PROVIDER_ERROR if the test issuer does not answer (outcome `unknown`), or does not list the transaction that it took
 * (outcome `executed`).
 */
export const simulateSpend = verb(
  { permission: "test:write" },
  async (ctx: MerchantContext, cardId: string, spend: SimulateSpend): Promise<CardTransaction> => {
    const card = await getCardRow(ctx, cardId);
    const shops = sandboxIssuerFor(ctx.merchant, card.provider);
    // A card that was never issued cannot be charged. A terminated card may still be refunded.
    if (card.providerReference === null) requireAllowed(card.status, "fund");
    const related = spend.related_transaction_id === undefined ? null : await findTransaction(ctx, cardId, spend.related_transaction_id);
    if (related === undefined) throw invalid("related_transaction_id", "Send the id of a transaction of this card.");
    const transactionReference = simulatedReference(ctx.resourceId ?? newReference());
    const outcome = await shops.spend({
      transactionReference,
      cardReference: card.providerReference ?? "",
      type: spend.type,
      amount: spend.amount,
      relatedReference: related?.providerTransactionId ?? null,
      merchantName: spend.merchant_name,
    });
    if (outcome.status === "refused") {
      throw invalid(
        "related_transaction_id",
        WHY_NOT[outcome.refused] ?? "The sandbox's issuer does not take this. Check what it follows.",
      );
    }
    if (outcome.status === "unknown") {
      log().warn({ cardId, because: outcome.because }, "the test issuer did not answer a simulated charge");
      const message =
        "The test issuer did not answer. Send the same request with the same Idempotency-Key, or read the card's transactions.";
      throw new Problem("PROVIDER_ERROR", message, { outcome: "unknown" });
    }
    await syncOrSay(card);
    return getSimulated(ctx, cardId, transactionReference);
  },
);

async function syncOrSay(card: CardRow): Promise<void> {
  try {
    await syncCard(card);
  } catch (cause) {
    if (!(cause instanceof SpendUnreadable)) throw cause;
    const message = "The test issuer took the transaction and has not listed it yet. Read the card's transactions in a moment.";
    throw new Problem("PROVIDER_ERROR", message, { outcome: "executed", cause });
  }
}

export const simulatedReference = (resourceId: string) => `sim_${resourceId}`;

/** Returns the transaction of a simulation. Throws RESOURCE_NOT_FOUND. */
export async function getSimulated({ merchant }: MerchantContext, cardId: string, reference: string): Promise<CardTransaction> {
  const [row] = await db()
    .select()
    .from(cardTransactions)
    .where(
      and(
        eq(cardTransactions.merchantId, merchant.id),
        eq(cardTransactions.cardId, cardId),
        eq(cardTransactions.providerTransactionId, reference),
      ),
    );
  if (!row) throw notFound("card transaction");
  return transactionFromRow(row);
}

async function findTransaction({ merchant }: MerchantContext, cardId: string, id: string): Promise<TransactionRow | undefined> {
  const [row] = await db()
    .select()
    .from(cardTransactions)
    .where(and(eq(cardTransactions.merchantId, merchant.id), eq(cardTransactions.cardId, cardId), eq(cardTransactions.id, id)));
  return row;
}
