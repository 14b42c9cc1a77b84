"use client";

import { useCallback, useEffect, useState } from "react";
import { type AnswerOf, call, Refused } from "#app/_client/call.ts";
import { useCaller } from "#app/_client/provider.tsx";
import { wordsOf } from "#app/_client/words-of-refusals.ts";

type Route = typeof import("#app/api/v1/virtual-cards/[id]/quote/route.ts").GET;
export type Quote = AnswerOf<Route>["data"];

/** An amount with its price, or with the reason why the amount has no price. */
interface Asked {
  amount: string;
  round: number;
  quote?: Quote;
  problem?: string;
  /** The price of the same amount that was shown before this one, if it differs. */
  before?: Quote | undefined;
}

interface Wanted {
  type: "fund" | "unload";
  cardId: string;
  /** As the API takes it, `50.00`; undefined while no amount is typed. */
  amount: string | undefined;
}

/** A price is read when nothing was typed for this long. */
const PAUSE_MS = 250;
const NO_RATE = "There is no valid exchange rate just now, so the price is not known. Nothing can be moved. Try again in a few minutes.";
const NO_ANSWER = "The price could not be read. Check your connection.";

/**
 * Reads the price of an amount after a pause in typing, and again when its rate ends. An answer counts only for the amount that it was asked
 * for, so that an amount never stands beside the price of another one. `isFresh` is false while the price is read again.
 */
export function useQuote({ type, cardId, amount }: Wanted) {
  const { merchantId } = useCaller();
  const [round, setRound] = useState(0);
  const [asked, setAsked] = useState<Asked>();
  const readAgain = useCallback(() => setRound((last) => last + 1), []);
  useEffect(() => {
    if (amount === undefined) return;
    let isLate = false;
    const read = async (): Promise<Pick<Asked, "quote" | "problem">> => {
      try {
        const query = { type, amount };
        const { data } = await call<Route>({ merchantId }, "GET", "/api/v1/virtual-cards/{id}/quote", { params: { id: cardId }, query });
        return { quote: data };
      } catch (error) {
        return { problem: wordsFor(error) };
      }
    };
    const timer = setTimeout(async () => {
      const got = await read();
      if (isLate) return;
      setAsked((last) => ({ ...got, amount, round, before: last?.amount === amount ? otherPrice(last, got.quote) : undefined }));
    }, PAUSE_MS);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [merchantId, type, cardId, amount, round]);
  const current = asked?.amount === amount ? asked : undefined;
  const quote = current?.quote;
  useEffect(() => {
    if (!quote) return;
    const leftMs = Date.parse(quote.valid_until) - Date.now();
    // `setTimeout` overflows after 24 days. And if this device's clock is wrong, `leftMs` may be negative again and again.
    if (leftMs <= 0 || leftMs > 86_400_000) return;
    const timer = setTimeout(readAgain, leftMs);
    return () => clearTimeout(timer);
  }, [quote, readAgain]);
  return { quote, before: current?.before, problem: current?.problem, isFresh: current?.round === round, readAgain };
}

/** Returns the last price that differs from `now`. If the same price is read twice, the earlier, different one stays shown. */
const otherPrice = ({ quote, before }: Asked, now: Quote | undefined): Quote | undefined =>
  quote && quote.wallet_amount !== now?.wallet_amount ? quote : before;

function wordsFor(error: unknown): string {
  if (!(error instanceof Refused)) return NO_ANSWER;
  return error.code === "PROVIDER_UNAVAILABLE" ? NO_RATE : wordsOf(error.code, error.message);
}
