import { describe, expect, test } from "vitest";
import { PRICE_LIST } from "#sandbox/aggregator/price-list.ts";
import type { ProductRow } from "./product.ts";
import { skuOf } from "./sku.ts";

const sold = (changes: Partial<ProductRow>) => ({
  service: "data" as const,
  brand: "mtn",
  name: "MTN plan",
  size: null,
  validity: null,
  ...changes,
});

describe("the identity of goods", () => {
  test.each([
    [
      { size: "1GB", validity: "30 days" },
      { size: "1 gb", validity: "1 Month" },
    ],
    [
      { size: "1.0GB", validity: "30 days" },
      { size: "1024MB", validity: "Monthly" },
    ],
    [
      { size: "1000 MB", validity: "7 days" },
      { size: "1GB", validity: "weekly" },
    ],
    [{ name: "N1000 1.5GB - 30 days" }, { size: "1.5GB", validity: "30 days" }],
    [
      { size: "1GB", validity: "30 days", variant: "SME" },
      { size: "1GB", validity: "30 days", variant: "Gifting", name: "Another name" },
    ],
    [
      { service: "cable", brand: "dstv", name: "DStv Padi N4,400" },
      { service: "cable", brand: "dstv", name: "Padi" },
    ],
    [
      { service: "cable", brand: "gotv", name: "GOtv Jinja (Monthly) - ₦3,900.00" },
      { service: "cable", brand: "gotv", name: "GOTV Jinja, monthly: 4,100 Naira" },
    ],
    [
      { service: "airtime", variant: "VTU", name: "MTN VTU" },
      { service: "airtime", variant: "Sharesell", name: "MTN airtime" },
    ],
  ] as const)("is the same for %j and %j, which are names of two aggregators or prices of two days", (one, other) => {
    expect(skuOf(sold(one), 50_000n)).toBe(skuOf(sold(other), 50_000n));
  });

  test.each([
    [
      { size: "1GB", validity: "30 days" },
      { size: "1GB", validity: "1 day" },
    ],
    [
      { size: "1GB", validity: "30 days" },
      { size: "1.5GB", validity: "30 days" },
    ],
    [
      { size: "1GB", validity: "30 days" },
      { size: "1GB", validity: "30 days", brand: "glo" },
    ],
    [
      { service: "cable", brand: "dstv", name: "DStv Padi" },
      { service: "cable", brand: "dstv", name: "DStv Yanga" },
    ],
    [
      { service: "airtime", name: "MTN" },
      { service: "airtime", name: "MTN", brand: "glo" },
    ],
  ] as const)("is another for %j than for %j", (one, other) => {
    expect(skuOf(sold(one), 50_000n)).not.toBe(skuOf(sold(other), 50_000n));
  });

  test("includes the face value where the buyer chooses it, and never the price of a plan", () => {
    const disco = sold({ service: "electricity", brand: "ikeja electric" });
    expect(skuOf(disco, 500_000n)).not.toBe(skuOf(disco, 600_000n));
    const plan = sold({ size: "1GB", validity: "30 days" });
    expect(skuOf(plan, 60_000n)).toBe(skuOf(plan, 60_100n));
  });

  test("tells all plans of one list apart, except for kinds of the same data", () => {
    const plans = PRICE_LIST.filter(({ service }) => service === "data" || service === "cable");
    const skus = plans.map((plan) => skuOf(sold({ ...plan, variant: null }), 0n));
    const expected = new Set(plans.map(({ service, brand, size, validity, name }) => [service, brand, size ?? name, validity].join("/")));
    expect(new Set(skus).size).toBe(expected.size);
  });
});
