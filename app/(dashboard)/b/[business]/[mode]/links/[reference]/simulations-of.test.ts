import { expect, test } from "vitest";
import { naira } from "#lib/money.ts";
import type { PaymentLink } from "#services/checkout/index.ts";
import { simulationsOf } from "./simulations-of.ts";

const linkOf = (major: number, status: PaymentLink["status"] = "pending") => ({ status, amount: naira(major) }) as PaymentLink;

test.each([
  [5_000, 4_900, 10_000],
  [100, 99.99, 200],
  [10_000_000, 9_999_900, 20_000_000],
])("a link of ₦%d can be paid too little with %d, and too much with %d", (amount, less, more) => {
  const simulations = simulationsOf(linkOf(amount));
  expect(simulations.map(({ kind, amount: sent }) => [kind, sent])).toEqual([
    ["exact", undefined],
    ["under", less],
    ["over", more],
    ["expire", undefined],
  ]);
});

test("an expired link offers only a late payment, and a paid link only a second one", () => {
  expect(simulationsOf(linkOf(5_000, "expired")).map(({ kind }) => kind)).toEqual(["late"]);
  expect(simulationsOf(linkOf(5_000, "success")).map(({ kind }) => kind)).toEqual(["duplicate"]);
});

test("each simulation says how much comes in, and which state follows", () => {
  const effects = (status: PaymentLink["status"]) => simulationsOf(linkOf(5_000, status)).map(({ effect }) => effect);
  expect([...effects("pending"), ...effects("success"), ...effects("expired")]).toEqual([
    "₦5,000.00 comes in. The link is paid.",
    "₦4,900.00 comes in. It goes back, and the link stays waiting.",
    "₦10,000.00 comes in. It goes back, and the link stays waiting.",
    "Nothing comes in. The link expires.",
    "₦5,000.00 comes in a second time. It goes back, and the link stays paid.",
    "₦5,000.00 comes in after the end. It goes back, and the link stays expired.",
  ]);
});
