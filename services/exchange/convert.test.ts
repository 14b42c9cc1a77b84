import fc from "fast-check";
import { expect, test } from "vitest";
import { money } from "#lib/money.ts";
import { toNairaDown, toNairaUp, toRate, toRateNumber } from "./convert.ts";

const cents = fc.bigInt({ min: 0n, max: 10n ** 9n });
const rates = fc.bigInt({ min: 1n, max: 10n ** 9n });

test("what a merchant pays is never below the exact worth, what it gets never above, and both less than a kobo off", () => {
  fc.assert(
    fc.property(cents, rates, (amount, rate) => {
      const exact = amount * rate;
      const paid = toNairaUp(money(amount, "USD"), rate).minor * 10_000n - exact;
      const got = exact - toNairaDown(money(amount, "USD"), rate).minor * 10_000n;
      expect(paid >= 0n && paid < 10_000n).toBe(true);
      expect(got >= 0n && got < 10_000n).toBe(true);
    }),
  );
});

test("a rate of the API is kept to the last of its four decimals, and shown as it was sent", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 9 }), (scaled) => {
      const number = scaled / 10_000;
      expect(toRate(number)).toBe(BigInt(scaled));
      expect(toRateNumber(BigInt(scaled))).toBe(number);
    }),
  );
});

test.each([0, -1, 1.00001, Number.NaN, Number.POSITIVE_INFINITY, 1e21, 1e-7])("%d is no rate", (number) => {
  expect(toRate(number)).toBeUndefined();
});
