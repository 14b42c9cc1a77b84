import { type Tx, transaction } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import { formatMoney } from "#lib/money.ts";
import type { Issuer } from "#providers/issuer.ts";
import { raiseOperatorAlert } from "../alerts/index.ts";
import { modeOf } from "../providers/index.ts";
import type { CardRow } from "./card.ts";
import { claimOperation } from "./carry-out.ts";
import { hasQuarantinedSpend } from "./quarantine-spend.ts";
import { balanceOf, isLookedAtAgain, lockCard, processingOf } from "./rows.ts";
import { settleOperation } from "./settle-operation.ts";

/**
 * Terminates a card here that its issuer has closed of its own accord, and brings home what our account has: the issuer names no balance.
 * Operators are told, because the issuer owes it. Called with the card's spend freshly read. Does nothing while an operation is processing
 * or looked at again, or the card is blocked.
 */
export async function closeAsIssuerDid(issuer: Issuer, known: CardRow): Promise<void> {
  const { merchantId, id, provider, providerReference } = known;
  if (providerReference === null) return;
  const reading = await issuer.readCard(providerReference);
  if (reading.status !== "found" || reading.found.state !== "TERMINATED") return;
  const claimed = await transaction(async (tx) => {
    const card = await lockCard(tx, merchantId, id);
    const isOpen = (card.status === "ACTIVE" || card.status === "FROZEN") && card.blockedAt === null;
    // The issuer may have done an undecided operation: then our books do not say what the card had.
    if (!isOpen || (await processingOf(tx, card)).length > 0 || (await isLookedAtAgain(tx, card))) return undefined;
    // Our own balance is what the card had only if all of its spend is in our books.
    if (await hasQuarantinedSpend(tx, card)) return tellThatItStays(tx, card);
    const balance = await balanceOf(tx, card);
    await raiseOperatorAlert(tx, modeOf(provider), {
      type: "card.closed_by_issuer",
      resourceId: id,
      message: `${provider} closed card ${id} of ${merchantId} without being asked. ${formatMoney(balance)} goes to its wallet, by our books: claim it from the issuer.`,
    });
    return { balance, operation: await claimOperation(tx, { id: newId("cardOperation"), merchantId, cardId: id, type: "terminate" }) };
  });
  if (!claimed) return;
  const { operation, balance } = claimed;
  const word = { status: "completed", providerReference: operation.reference, issued: null, taken: balance } as const;
  await settleOperation(operation, word, { isTurn: false });
}

async function tellThatItStays(tx: Tx, { merchantId, id, provider }: CardRow): Promise<undefined> {
  await raiseOperatorAlert(tx, modeOf(provider), {
    type: "card.closed_by_issuer",
    resourceId: id,
    message: `${provider} closed card ${id} of ${merchantId} without being asked. It stays open here, and its money stands still, because spend of it is in quarantined_spend.`,
  });
}
