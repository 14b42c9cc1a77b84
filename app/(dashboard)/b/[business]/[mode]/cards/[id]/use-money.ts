"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { type AnswerOf, type Caller, call, Refused } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import type { Quote } from "./use-quote.ts";

type Fund = typeof import("#app/api/v1/virtual-cards/[id]/fund/route.ts").POST;
type Unload = typeof import("#app/api/v1/virtual-cards/[id]/unload/route.ts").POST;
export type MoneyType = "fund" | "unload";
export type Operation = AnswerOf<Fund>["data"];

/** What the page promises by its button: so many dollars, for the Naira or at the rate that it shows. */
export interface MoneyBody {
  amount: number;
  max_wallet_amount?: number;
  min_exchange_rate?: number;
}

/** Returns the body that binds an operation to the quote that the page shows. */
export const bodyOf = (quote: Quote): MoneyBody =>
  quote.type === "fund"
    ? { amount: quote.amount, max_wallet_amount: quote.wallet_amount }
    : { amount: quote.amount, min_exchange_rate: quote.exchange_rate };

interface Send {
  cardId: string;
  body: MoneyBody;
  idempotencyKey: string;
}

function sendFund(caller: Caller, { cardId, body: { amount, max_wallet_amount }, idempotencyKey }: Send) {
  const body = { amount, ...(max_wallet_amount !== undefined && { max_wallet_amount }) };
  return call<Fund>(caller, "POST", "/api/v1/virtual-cards/{id}/fund", { params: { id: cardId }, body, idempotencyKey });
}

function sendUnload(caller: Caller, { cardId, body: { amount, min_exchange_rate }, idempotencyKey }: Send) {
  const body = { amount, ...(min_exchange_rate !== undefined && { min_exchange_rate }) };
  return call<Unload>(caller, "POST", "/api/v1/virtual-cards/{id}/unload", { params: { id: cardId }, body, idempotencyKey });
}

/**
 * Moves money between the wallet and a card. `unanswered` is a body that was sent and has no answer, from this page or from before a reload:
 * nothing else may be sent until it has one.
 */
export function useMoney(type: MoneyType, cardId: string) {
  const router = useRouter();
  const [sent, setSent] = useState<MoneyBody>();
  const action = useAction({
    name: `cards/${cardId}/${type}`,
    send: (caller, body: MoneyBody, idempotencyKey) => (type === "fund" ? sendFund : sendUnload)(caller, { cardId, body, idempotencyKey }),
  });
  const { error, answer } = action;
  useEffect(() => {
    // The page behind shows the card as it is now: another balance, or frozen meanwhile.
    if (error || answer) router.refresh();
  }, [router, error, answer]);
  const send = (body: MoneyBody): void => {
    setSent(body);
    action.act(body);
  };
  const unanswered = answer ? undefined : (action.unanswered ?? action.lost);
  return { ...action, send, sent, unanswered, isPriceChanged: error instanceof Refused && error.code === "PRICE_CHANGED" };
}

export type MoneyAction = ReturnType<typeof useMoney>;
