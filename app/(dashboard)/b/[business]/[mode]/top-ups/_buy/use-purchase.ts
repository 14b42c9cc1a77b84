"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { type AnswerOf, type Caller, Refused } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";

type Answer = AnswerOf<typeof import("#app/api/v1/vtu/airtime/route.ts").POST>;

/** What the bodies of all purchases have. */
export interface Order {
  /** Naira: the price that was shown. */
  expected_price: number;
  allow_duplicate?: boolean;
}

/** A body, and what it buys. */
export interface Bought<Body extends Order> {
  body: Body;
  productId: number;
  quantity: number;
}

export type Send<Body extends Order> = (caller: Caller, body: Body, idempotencyKey: string) => Promise<Answer>;

/** A price that differed from the one that was shown, in kobo for one. */
interface NewPrice {
  productId: number;
  unit: bigint;
}

/**
 * Sends one purchase at a time, then opens its receipt. Separates refusals that need a decision of the person from those the form shows.
 * `lost` is a body that was sent and got no answer.
 */
export function usePurchase<Body extends Order>(kind: string, listHref: string, send: Send<Body>) {
  const router = useRouter();
  const [sent, setSent] = useState<Bought<Body>>();
  const [newPrice, setNewPrice] = useState<NewPrice>();
  const [seen, setSeen] = useState<Error>();
  const { act, reset, forget, isWorking, answer, unanswered, lost, problem, error } = useAction<Body, Answer>({
    ...{ name: `buy-${kind}`, send },
    onDone: ({ data }) => location.assign(`${listHref}/${data.reference}`),
  });
  const code = error instanceof Refused ? error.code : undefined;
  useEffect(() => {
    if (!(error instanceof Refused)) return;
    if (error.code === "PRICE_CHANGED" && sent) setNewPrice(priceIn(error.message, sent));
    if (CHANGES.has(error.code)) router.refresh();
  }, [error, sent, router]);
  useEffect(() => {
    // The browser kept the page as it was when it went on to the receipt.
    const begin = ({ persisted }: PageTransitionEvent) => persisted && reset();
    window.addEventListener("pageshow", begin);
    return () => window.removeEventListener("pageshow", begin);
  }, [reset]);
  const buy = (order: Bought<Body>): void => {
    setSent(order);
    act(order.body);
  };
  return {
    buy,
    ask: (body: Body) => act(body),
    forget: () => {
      forget();
      reset();
    },
    again: () => sent && buy({ ...sent, body: { ...sent.body, allow_duplicate: true } }),
    isWorking: isWorking || answer !== undefined,
    unanswered,
    lost,
    isSignedOut: code === "MISSING_CREDENTIALS",
    /** The reference of the earlier purchase, if the server refused the second one as a possible duplicate. */
    duplicateOf: code === "DUPLICATE_PURCHASE" && error !== seen ? (/vtu_\w+/.exec(error?.message ?? "")?.[0] ?? "") : undefined,
    dismissDuplicate: () => setSeen(error ?? undefined),
    refusal: code,
    newPrice,
    /** Returns a product's price: the present one if the server refused an old price, otherwise the one that the page was loaded with. */
    priceOf: ({ id, price }: { id: number; price: bigint }): bigint => (newPrice?.productId === id ? newPrice.unit : price),
    problem: code && ANSWERED.has(code) ? undefined : problem,
    error,
  };
}

/** These refusals show that the prices or the balance on the page are out of date. */
const CHANGES = new Set(["PRICE_CHANGED", "INSUFFICIENT_BALANCE", "PRODUCT_UNAVAILABLE"]);
/** The page shows these refusals in a notice of their own, so the form does not show them. */
const ANSWERED = new Set(["PRICE_CHANGED", "INSUFFICIENT_BALANCE", "DUPLICATE_PURCHASE", "PRODUCT_UNAVAILABLE"]);

/** Returns the present price, which the message of the refusal begins with. */
function priceIn(message: string, { productId, quantity }: Bought<Order>): NewPrice | undefined {
  const [, whole, decimals] = /₦([\d,]+)\.(\d\d)/.exec(message) ?? [];
  if (whole === undefined || decimals === undefined) return undefined;
  return { productId, unit: BigInt(whole.replaceAll(",", "") + decimals) / BigInt(quantity) };
}
