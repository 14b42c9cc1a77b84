import { and, eq } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { cardholders, cards, issuerReferences } from "#db/schema/cards.ts";
import { newId } from "#lib/ids.ts";
import { money } from "#lib/money.ts";
import { notFound, Problem } from "#lib/problem.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import type { Brand } from "#providers/issuer.ts";
import type { MerchantContext } from "../context.ts";
import { currentRate, toNairaUp } from "../exchange/index.ts";
import { assertLease } from "../idempotency/index.ts";
import { issuers } from "../providers/index.ts";
import type { Card, CardRow } from "./card.ts";
import type { OperationRow } from "./card-operation.ts";
import type { CardholderRow } from "./cardholder.ts";
import { carryOut, claimOperation } from "./carry-out.ts";
import { feeOf, feeRuleFor } from "./fees.ts";
import { holdOfWallet } from "./journal.ts";
import { findCard, getCard } from "./read-cards.ts";
import { holdOrRefuse } from "./wallet-hold.ts";

interface Wish {
  cardholderId: number;
  brand: Brand;
  nickname: string | null;
}

/**
 * Issues a card: stored as PENDING before the issuer is asked, so that it is asked once. Returns the card as it is then. Throws
 * RESOURCE_NOT_FOUND, CARDHOLDER_KYC_NOT_APPROVED, VALIDATION_ERROR (a brand that the issuer has not), PROVIDER_UNAVAILABLE, and
 * INSUFFICIENT_BALANCE where issuing costs a fee.
 */
export async function issueCard(ctx: MerchantContext, wish: Wish): Promise<Card> {
  const cardId = ctx.resourceId ?? newId("card");
  if (ctx.resumed) {
    const made = await findCard(ctx, cardId);
    if (made) return made;
  }
  const elapsedMs = startStopwatch();
  // Says what is missing where nobody makes cards; the card itself is made where its cardholder is known.
  issuers.for(ctx.merchant);
  const { card, operation, cardholderReference } = await transaction((tx) => claim(tx, ctx, { ...wish, cardId }));
  await carryOut(operation, { card, elapsedMs, cardholderReference });
  return getCard(ctx, cardId);
}

interface ClaimedCard {
  card: CardRow;
  operation: OperationRow;
  cardholderReference: string;
}

async function claim(tx: Tx, ctx: MerchantContext, wish: Wish & { cardId: string }): Promise<ClaimedCard> {
  const { merchant } = ctx;
  await assertLease(tx, ctx);
  const holder = await approvedCardholder(tx, merchant.id, wish.cardholderId);
  const issuer = issuers.named(holder.provider);
  if (!issuer) throw new Error(`cardholder ${holder.id} is at an issuer that is not known here`);
  if (!issuer.capabilities.brands.includes(wish.brand)) {
    const brands = issuer.capabilities.brands.join(" or ");
    throw new Problem("VALIDATION_ERROR", `Your card issuer makes ${brands}.`, {
      errors: [{ param: "brand", message: `Send ${brands}.` }],
    });
  }
  const { cardId, cardholderId, brand, nickname } = wish;
  const [card] = await tx
    .insert(cards)
    .values({ merchantId: merchant.id, id: cardId, cardholderId, brand, nickname, provider: issuer.name })
    .returning();
  if (!card) throw new Error(`card ${cardId} was not stored`);
  const operation = await claimOperation(tx, {
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

/** Free, unless a fee is configured. */
async function feeFor(tx: Tx, { merchant }: MerchantContext): Promise<Partial<OperationRow>> {
  // Without a rate nothing that comes to the card could ever leave it.
  const rate = await currentRate(tx, merchant);
  const fee = feeOf(money(0n, "USD"), await feeRuleFor(tx, merchant, "issue"));
  if (fee.minor === 0n) return {};
  return { fee: fee.minor, exchangeRate: rate.sell, midRate: rate.mid, walletAmount: toNairaUp(fee, rate.sell).minor };
}
