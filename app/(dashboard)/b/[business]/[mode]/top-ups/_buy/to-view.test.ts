import { describe, expect, test } from "vitest";
import { naira } from "#lib/money.ts";
import type { VisiblePurchase } from "#services/vtu/index.ts";
import { guessOf } from "./phone-field.tsx";
import { amountText, brandsOf, type Product, recentsOf, toPlans, whatIsGone } from "./to-view.ts";

const aProduct = (id: number, brand: string, changes: Partial<Product> = {}): Product => ({
  ...{ id, brand, service: "data", name: `${brand} 1GB`, variant: "SME", size: "1GB", validity: "30 days", hasLetters: false },
  price: naira(600),
  ...changes,
});

const aPurchase = (recipient: string | null, productId = 1): VisiblePurchase => ({
  ...{ merchantId: "mer_1", id: "vtu_1", service: "data", status: "success", productId, productName: "MTN 1GB", recipient, variant: null },
  ...{ quantity: 1, units: null, metadata: {}, failureReason: null, createdAt: new Date(), completedAt: null, hasSecrets: false },
  ...{ amount: naira(600), refunded: naira(0), madeBy: { type: "member", id: "usr_1" }, secrets: "withheld" },
});

describe("recent numbers", () => {
  test("each recent number is listed once, the latest first, at most four, and none whose product was withdrawn", () => {
    const phones = [3, 3, 1, 2, 3, 4, 5].map((digit) => aPurchase(`+23480312345${digit}${digit}`));
    const recents = recentsOf([aPurchase("+2348099999999", 7), aPurchase(null), ...phones], [aProduct(1, "mtn")]);
    expect(recents.map(({ text }) => text)).toEqual(["0803 123 4533", "0803 123 4511", "0803 123 4522", "0803 123 4544"]);
    expect(recents[0]).toMatchObject({ note: "MTN", brand: "mtn", productId: 1 });
  });
});

test("networks are listed in their usual order, and a plan without a price cannot be chosen", () => {
  const products = [aProduct(1, "9mobile"), aProduct(2, "mtn"), aProduct(3, "mtn", { price: null })];
  expect(brandsOf(products)).toEqual([
    { value: "mtn", label: "MTN" },
    { value: "9mobile", label: "9mobile" },
  ]);
  expect(toPlans(products).map(({ id }) => id)).toEqual([1, 2]);
  expect(whatIsGone(aPurchase(null, 3), products)).toBeUndefined();
  expect(whatIsGone(aPurchase(null, 4), products)).toBe("MTN 1GB");
});

test("the guessed network can be changed: the buyer's choice stays, and the page names the network that issued the number", () => {
  const networks = brandsOf([aProduct(1, "mtn"), aProduct(2, "glo")]);
  expect(guessOf("0803 123 4567", undefined, networks)).toMatchObject({ guess: "mtn", hint: expect.stringMatching(/^Guessed/) });
  expect(guessOf("0803 123 4567", "glo", networks).hint).toBe("Numbers like this were given out by MTN. If it was moved to Glo, go on.");
  expect(guessOf("0802 123 4567", undefined, networks).guess).toBeUndefined();
  expect(guessOf("0803 123", undefined, networks)).toEqual({ guess: undefined, hint: undefined });
});

test("an amount is filled in as people type it", () => {
  expect([20_000n, 150_050n, 9_905n].map(amountText)).toEqual(["200", "1500.50", "99.05"]);
});
