import { and, eq } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { cardholders, cards, issuerReferences } from "#db/schema/cards.ts";
import { newId } from "#lib/ids.ts";
import { money } from "#lib/money.ts";
import { notFound, Problem } from "#lib/problem.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import type { Brand } from "#providers/issuer.ts";
import { type MerchantContext, madeBy } from "../../context.ts";
import { currentRate, toNairaUp } from "../../exchange/index.ts";
import { feeOf } from "../../fee-rule.ts";
import type { Metadata } from "../../fields.ts";
import { assertLease } from "../../idempotency/index.ts";
import { holdOrRefuse } from "../../ledger/index.ts";
import { requireUnrestrictedInLive } from "../../members/index.ts";
import { issuers } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import type { Card, CardRow } from "../card.ts";
import type { OperationRow } from "../card-operation.ts";
import type { CardholderRow } from "../cardholder.ts";
import { findCard, getCard } from "../cards/read-cards.ts";
import { feeRuleFor } from "../prices/prices.ts";
import { callIssuer, claimOperation } from "./claim-and-call.ts";
import { holdOfWallet } from "./journal.ts";

interface NewCard {
  cardholderId: number;
  brand: Brand;
  nickname: string | null;
  metadata?: Metadata | undefined;
}

/**
 * Issues a card. Stores the card as PENDING before the issuer is called, so that the issuer is called once. Returns the card after the
 * answer, PENDING if the issuer has not decided. Throws RESOURCE_NOT_FOUND, CARDHOLDER_KYC_NOT_APPROVED, VALIDATION_ERROR (the issuer does
 * not make this brand), PROVIDER_UNAVAILABLE, INSUFFICIENT_BALANCE (the wallet does not cover the fee), and in live mode PERMISSION_DENIED while the
 * member is restricted.
 */
export const issueCard = verb({ permission: "cards:write" }, async (ctx: MerchantContext, request: NewCard): Promise<Card> => {
  const cardId = ctx.resourceId ?? newId("card");
  if (ctx.resumed) {
    const made = await findCard(ctx, cardId);
    if (made) return made;
  }
  await requireUnrestrictedInLive(ctx);
  const elapsedMs = startStopwatch();
  // Throws PROVIDER_UNAVAILABLE if the merchant has no issuer. The issuer of the card is the one that registered its cardholder.
  issuers.for(ctx.merchant);
  const { card, operation, cardholderReference } = await transaction((tx) => claim(tx, ctx, { ...request, cardId }));
  await callIssuer(operation, { card, elapsedMs, cardholderReference });
  return getCard(ctx, cardId);
});

interface ClaimedCard {
  card: CardRow;
  operation: OperationRow;
  cardholderReference: string;
}

async function claim(tx: Tx, ctx: MerchantContext, request: NewCard & { cardId: string }): Promise<ClaimedCard> {
  const { merchant } = ctx;
  await assertLease(tx, ctx);
  const holder = await approvedCardholder(tx, merchant.id, request.cardholderId);
  const issuer = issuers.named(holder.provider);
  if (!issuer) throw new Error(`cardholder ${holder.id} is at an issuer that is not known here`);
  if (!issuer.capabilities.brands.includes(request.brand)) {
    const brands = issuer.capabilities.brands.join(" or ");
    throw new Problem("VALIDATION_ERROR", `Your card issuer makes ${brands}.`, {
      errors: [{ param: "brand", message: `Send ${brands}.` }],
    });
  }
  const { cardId, cardholderId, brand, nickname, metadata } = request;
  const [card] = await tx
    .insert(cards)
    .values({ merchantId: merchant.id, id: cardId, cardholderId, brand, nickname, metadata, provider: issuer.name, madeBy: madeBy(ctx) })
    .returning();
  if (!card) throw new Error(`card ${cardId} was not stored`);
  const operation = await claimOperation(tx, ctx, {
    id: newId("cardOperation"),
    merchantId: merchant.id,
    cardId,
    type: "issue",
    ...(await feeFor(tx, ctx)),
  });
  await tx
    .insert(issuerReferences)
    .values({ provider: issuer.name, reference: operation.reference, merchantId: merchant.id, subject: "card", subjectId: cardId });
  await holdOrRefuse(tx, merchant.id, holdOfWallet(operation));
  return { card, operation, cardholderReference: holder.providerReference };
}

const WHY_NOT = {
  PENDING: "This cardholder's identity is not approved yet. Read the cardholder until kyc_status is APPROVED.",
  REJECTED: "This cardholder's identity was rejected; kyc_rejection_reason says why. Cards can be issued to another cardholder.",
  APPROVED: "The card issuer has not registered this cardholder yet. Try again in a moment.",
};

async function approvedCardholder(tx: Tx, merchantId: string, id: number): Promise<CardholderRow & { providerReference: string }> {
  const [holder] = await tx
    .select()
    .from(cardholders)
    .where(and(eq(cardholders.merchantId, merchantId), eq(cardholders.id, id)));
  if (!holder) throw notFound("cardholder");
  const { kycStatus, providerReference } = holder;
  if (kycStatus !== "APPROVED" || providerReference === null) throw new Problem("CARDHOLDER_KYC_NOT_APPROVED", WHY_NOT[kycStatus]);
  return { ...holder, providerReference };
}

/** Returns the fee for issuing and its price in Naira; an empty object if issuing is free. Throws PROVIDER_UNAVAILABLE (no valid rate). */
async function feeFor(tx: Tx, { merchant }: MerchantContext): Promise<Partial<OperationRow>> {
  // A free card needs a rate too: without one, no money on the card could ever move back to the wallet.
  const rate = await currentRate(tx, merchant);
  const fee = feeOf(money(0n, "USD"), await feeRuleFor(tx, merchant, "issue"));
  if (fee.minor === 0n) return {};
  return { fee: fee.minor, exchangeRate: rate.sell, midRate: rate.mid, walletAmount: toNairaUp(fee, rate.sell).minor };
}
