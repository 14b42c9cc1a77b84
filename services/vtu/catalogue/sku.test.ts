import { describe, expect, test } from "vitest";
import { PRICE_LIST } from "#sandbox/aggregator/price-list.ts";
import type { ProductRow } from "../product.ts";
import { skuOf } from "./sku.ts";

const sold = (changes: Partial<ProductRow>) => ({
  ...{ service: "data" as const, brand: "mtn", name: "MTN plan", size: null, validity: null },
  ...changes,
});
const plan = (size: string, validity = "30 days", name = "MTN plan") => ({ size, validity, name });
const named = (name: string) => ({ name });
const cable = (brand: string, name: string) => ({ service: "cable" as const, brand, name });
const airtime = (variant: string, brand = "mtn") => ({ service: "airtime" as const, variant, brand, name: "Airtime" });

describe("the identity of goods", () => {
  test.each([
    [plan("1GB"), plan("1 gb", "1 Month")],
    [plan("1.0GB"), plan("1024MB", "Monthly")],
    [plan("1000 MB", "7 days"), plan("1GB", "weekly")],
    [plan("1,000MB", "24 hrs"), plan("1GB", "1 day")],
    [plan("1.5GB", "48 hours"), plan("1536MB", "2 days")],
    [named("N1000 1.5GB - 30 days"), plan("1.5GB")],
    [plan("1GB", "30 days", "MTN 1GB SME, 30 days"), plan("1GB", "30 days", "1GB Corporate Gifting (30 days)")],
    [cable("dstv", "DStv Padi N4,400"), cable("dstv", "Padi")],
    [cable("dstv", "DStv Padi #15,700"), cable("dstv", "DSTV Padi NGN 15,700.00")],
    [cable("gotv", "GOtv Jinja (Monthly) - ₦3,900.00"), cable("gotv", "GOTV Jinja, monthly: 4,100 Naira")],
    [airtime("VTU"), airtime("Sharesell")],
  ])("%j and %j are the same goods, named by two aggregators or priced on two days", (one, other) => {
    expect(skuOf(sold(one), 50_000n)).toBe(skuOf(sold(other), 50_000n));
  });

  test.each([
    [plan("1GB"), plan("1GB", "1 day")],
    [plan("1GB"), plan("1.5GB")],
    [plan("1GB"), { ...plan("1GB"), brand: "glo" }],
    [plan("128GB"), plan("125GB")],
    [plan("1,500MB"), plan("500MB")],
    [named("N300 Xtratalk Weekly Bundle"), named("N500 Xtratalk Weekly Bundle")],
    [named("Telegram 20MB 1 day"), named("Instagram 20MB 1 day")],
    [plan("1GB", "7 days", "1GB YouTube Night, 7 days"), plan("1GB", "7 days", "1GB, 7 days")],
    [named("2GB + 2GB Night, 7 days"), named("2GB + 8GB YouTube, 7 days")],
    [plan("1GB", "1 day", "1GB + 500MB Night, 1 day"), plan("1GB", "1 day", "1GB + 200MB Night, 1 day")],
    [cable("dstv", "DStv Padi"), cable("dstv", "DStv Yanga")],
    [airtime("VTU"), airtime("VTU", "glo")],
  ])("%j and %j are different goods", (one, other) => {
    expect(skuOf(sold(one), 50_000n)).not.toBe(skuOf(sold(other), 50_000n));
  });

  test("includes the face value where the buyer chooses it, and never the price of a plan with a size and a validity", () => {
    const disco = sold({ service: "electricity", brand: "ikeja electric" });
    expect(skuOf(disco, 500_000n)).not.toBe(skuOf(disco, 600_000n));
    expect(skuOf(sold(plan("1GB")), 60_000n)).toBe(skuOf(sold(plan("1GB")), 60_100n));
  });

  test("plans of one list have different identities, except for kinds of the same data", () => {
    const plans = PRICE_LIST.filter(({ service }) => service === "data" || service === "cable");
    const skus = plans.map((each) => skuOf(sold({ ...each, variant: null }), 0n));
    const expected = new Set(plans.map(({ service, brand, size, validity, name }) => [service, brand, size ?? name, validity].join("/")));
    expect(new Set(skus).size).toBe(expected.size);
  });
});
