import { type Tx, transaction } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import { formatMoney } from "#lib/money.ts";
import type { Issuer } from "#providers/issuer.ts";
import { raiseOperatorAlert } from "../../alerts/index.ts";
import { systemContext } from "../../context.ts";
import { modeOf } from "../../providers/index.ts";
import type { CardRow } from "../card.ts";
import { claimOperation } from "../operations/claim-and-call.ts";
import { settleOperation } from "../operations/settle.ts";
import { awaitsRecheck, balanceOf, lockCard, processingOf } from "../rows.ts";
import { hasQuarantinedSpend } from "../spend/quarantine-spend.ts";

/** The actor of these terminations, even if a notice or a request caused the sync, because the issuer closed the card by itself. */
const CLOSED_BY_ISSUER = systemContext("syncDueCards");

/**
 * Terminates a card that its issuer has closed without a request of ours. The issuer names no balance, so the wallet is credited with the
 * balance of our own account, and operators are alerted to claim it from the issuer. The caller has just recorded the card's spend.
 * Does nothing while the card is blocked, or an operation is `processing` or waits for a re-check. If spend of the card is quarantined,
 * only alerts the operators.
 */
export async function terminateClosedCard(issuer: Issuer, known: CardRow): Promise<void> {
  const { merchantId, id, provider, providerReference } = known;
  if (providerReference === null) return;
  const reading = await issuer.readCard(providerReference);
  if (reading.status !== "found" || reading.found.state !== "TERMINATED") return;
  const claimed = await transaction(async (tx) => {
    const card = await lockCard(tx, merchantId, id);
    const isOpen = (card.status === "ACTIVE" || card.status === "FROZEN") && card.blockedAt === null;
    // If the issuer has executed an undecided operation, our balance differs from the card's balance.
    if (!isOpen || (await processingOf(tx, card)).length > 0 || (await awaitsRecheck(tx, card))) return undefined;
    // Our balance is the card's balance only if all of its spend is recorded.
    if (await hasQuarantinedSpend(tx, card)) return alertThatCardStaysOpen(tx, card);
    const balance = await balanceOf(tx, card);
    await raiseOperatorAlert(tx, modeOf(provider), {
      type: "card.closed_by_issuer",
      resourceId: id,
      message: `${provider} closed card ${id} of ${merchantId} without being asked. ${formatMoney(balance)} goes to its wallet, by our books: claim it from the issuer.`,
    });
    const operation = await claimOperation(tx, CLOSED_BY_ISSUER, { id: newId("cardOperation"), merchantId, cardId: id, type: "terminate" });
    return { balance, operation };
  });
  if (!claimed) return;
  const { operation, balance } = claimed;
  const outcome = { status: "completed", providerReference: operation.reference, issued: null, taken: balance } as const;
  await settleOperation(operation, outcome, { countsAsAttempt: false });
}

async function alertThatCardStaysOpen(tx: Tx, { merchantId, id, provider }: CardRow): Promise<undefined> {
  await raiseOperatorAlert(tx, modeOf(provider), {
    type: "card.closed_by_issuer",
    resourceId: id,
    message: `${provider} closed card ${id} of ${merchantId} without being asked. It stays open here, and its money stands still, because spend of it is in quarantined_spend.`,
  });
}
