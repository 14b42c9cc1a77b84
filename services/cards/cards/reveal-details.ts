import { transaction } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import { noteInAudit } from "../../audit/index.ts";
import type { MerchantContext } from "../../context.ts";
import { requireUnrestrictedInLive } from "../../members/index.ts";
import { issuers } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import type { RevealedDetails } from "../card.ts";
import { getCardRow } from "../rows.ts";
import { requireAllowed } from "../state-machine.ts";

/**
 * Fetches the number and CVV from the issuer for this one response, and stores neither. The audit notes the request before the issuer is
 * called. A member has given a proof before. Throws RESOURCE_NOT_FOUND, CARD_TERMINATED, CARD_NOT_ACTIVE, PROVIDER_ERROR if the issuer does not
 * answer, and in live mode PERMISSION_DENIED while the member is restricted.
 */
export const revealDetails = verb(
  { permission: "cards:reveal", proof: "reveal_card" },
  async (ctx: MerchantContext, cardId: string): Promise<RevealedDetails> => {
    await requireUnrestrictedInLive(ctx);
    const card = await getCardRow(ctx, cardId);
    requireAllowed(card.status, "reveal");
    const issuer = issuers.named(card.provider);
    if (!issuer || card.providerReference === null) throw new Error(`card ${card.id} has no issuer to ask`);
    const { merchantId, id } = card;
    await transaction((tx) => noteInAudit(tx, ctx, { merchantId, action: "card.details_requested", subject: id }));
    const reading = await issuer.revealDetails(card.providerReference);
    if (reading.status !== "found") {
      throw new Problem("PROVIDER_ERROR", "The card issuer did not answer with the card's details. Ask again.", {
        outcome: "not_executed",
      });
    }
    return { ...reading.found, cardId: card.id, brand: card.brand };
  },
);
