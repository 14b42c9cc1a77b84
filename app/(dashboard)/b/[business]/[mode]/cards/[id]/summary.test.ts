import { expect, test } from "vitest";
import { naira } from "#lib/money.ts";
import { lackOf, linesOf, resultOf } from "./summary.ts";
import { bodyOf, type Operation } from "./use-money.ts";
import type { Quote } from "./use-quote.ts";

const quote = (fields: Partial<Quote> = {}): Quote => ({
  ...{ type: "fund", amount: 50, fee: 1, total: 51, currency: "USD", exchange_rate: 1600, wallet_amount: 81_600, wallet_currency: "NGN" },
  valid_until: "2026-11-23T06:00:00.000Z",
  ...fields,
});

const operation = (fields: Partial<Operation>): Operation => ({
  ...{ id: "cop_1", type: "fund", status: "completed", failure_reason: null, card_id: "card_1", amount: 50, fee: 1, total: 51 },
  ...{ currency: "USD", exchange_rate: 1600, wallet_amount: 81_600, wallet_currency: "NGN", card_balance: 50, reference: "r" },
  created_at: "2026-11-23T05:00:00.000Z",
  ...fields,
});

test("a funding is bound to the Naira that the page shows, and an unload to its rate", () => {
  expect(bodyOf(quote())).toEqual({ amount: 50, max_wallet_amount: 81_600 });
  expect(bodyOf(quote({ type: "unload", exchange_rate: 1500 }))).toEqual({ amount: 50, min_exchange_rate: 1500 });
});

test("a changed price marks the lines that changed, and no others", () => {
  const lines = linesOf(quote({ exchange_rate: 1650, wallet_amount: 84_150 }), quote(), naira(100_000));
  expect(lines).toEqual([
    { label: "You pay", value: "₦84,150.00", was: "₦81,600.00" },
    { label: "Card gets", value: "$50.00" },
    { label: "Fee", value: "$1.00" },
    { label: "Rate", value: "₦1,650.00 for $1", was: "₦1,600.00 for $1" },
    { label: "Wallet after", value: "₦15,850.00" },
  ]);
});

test("if the wallet does not cover a funding, the page says how much is missing, to the kobo", () => {
  expect(lackOf(quote({ wallet_amount: 81_600.01 }), naira(81_600))).toBe("₦0.01");
  expect(lackOf(quote(), naira(81_600))).toBeUndefined();
  expect(lackOf(quote({ type: "unload" }), naira(0))).toBeUndefined();
});

test("the result says whether the charge was as shown, or how much less", () => {
  expect(resultOf(operation({}), 81_600)).toBe("The card got $50.00. ₦81,600.00 was charged, as shown.");
  expect(resultOf(operation({ wallet_amount: 79_050 }), 81_600)).toBe(
    "The card got $50.00. ₦79,050.00 was charged: ₦2,550.00 less than shown, because the price fell.",
  );
  expect(resultOf(operation({}), undefined)).toBe("The card got $50.00. ₦81,600.00 was charged at ₦1,600.00 for $1.");
  expect(resultOf(operation({ type: "unload", wallet_amount: 76_000 }), 75_000)).toContain("₦1,000.00 more than shown");
});
