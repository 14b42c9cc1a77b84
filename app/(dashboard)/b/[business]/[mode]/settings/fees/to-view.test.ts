import { expect, test } from "vitest";
import { toFees, toRates } from "./to-view.ts";

type Rate = NonNullable<Parameters<typeof toRates>[0]>;

const validity = (validUntil: string) =>
  toRates({ isOwn: false, sell: 16_000_000n, buy: 15_000_000n, validUntil: new Date(validUntil) } as Rate).at(-1)?.value;

test("rates say until when they are valid, and those without an end are valid until they are changed", () => {
  expect(validity("2026-12-01T09:00:00Z")).toMatch(/^Until 1 Dec 2026, 10:00/);
  expect(validity("2100-01-01T00:00:00Z")).toBe("Until they are changed");
});

test.each([
  [{ flat: 0n, bps: 0, minimum: 0n, maximum: null }, "Free"],
  [{ flat: 5_000n, bps: 15, minimum: 0n, maximum: 50_000n }, "₦50.00 + 0.15 %, at most ₦500.00"],
  [{ flat: 0n, bps: 0, minimum: 2_000n, maximum: null }, "at least ₦20.00"],
])("the fee %o of payouts is %s, for the business or for all", (rule, text) => {
  const own = toFees([], { rule, isOwn: true }).find(({ key }) => key === "payout");
  expect(own).toMatchObject({ value: text, from: "Your business" });
  expect(toFees([], { rule, isOwn: false }).find(({ key }) => key === "payout")?.from).toBe("Every business");
});
