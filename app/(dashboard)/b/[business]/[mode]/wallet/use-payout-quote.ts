"use client";

import { useCallback, useEffect, useState } from "react";
import { type AnswerOf, call, Refused } from "#app/_client/call.ts";
import { useCaller } from "#app/_client/provider.tsx";
import { wordsOf } from "#app/_client/words-of-refusals.ts";

type Route = typeof import("#app/api/v1/payouts/quote/route.ts").GET;
export type PayoutQuote = AnswerOf<Route>["data"];

interface Asked {
  amount: string;
  round: number;
  quote?: PayoutQuote;
  problem?: string;
}

/** A price is read when nothing was typed for this long. */
const PAUSE_MS = 250;
const NO_ANSWER = "The fee could not be read. Check your connection.";

/** Reads the fee of an amount after a pause in typing. An answer counts only for the amount that it was asked for. */
export function usePayoutQuote(amount: string | undefined) {
  const { merchantId } = useCaller();
  const [round, setRound] = useState(0);
  const [asked, setAsked] = useState<Asked>();
  const readAgain = useCallback(() => setRound((last) => last + 1), []);
  useEffect(() => {
    if (amount === undefined) return;
    let isLate = false;
    const timer = setTimeout(async () => {
      const got = await read(merchantId, amount);
      if (!isLate) setAsked({ ...got, amount, round });
    }, PAUSE_MS);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [merchantId, amount, round]);
  const current = asked?.amount === amount ? asked : undefined;
  return { quote: current?.quote, problem: current?.problem, isFresh: current?.round === round, readAgain };
}

async function read(merchantId: string, amount: string): Promise<Pick<Asked, "quote" | "problem">> {
  try {
    const { data } = await call<Route>({ merchantId }, "GET", "/api/v1/payouts/quote", { query: { amount } });
    return { quote: data };
  } catch (error) {
    return { problem: error instanceof Refused ? wordsOf(error.code, error.message) : NO_ANSWER };
  }
}
