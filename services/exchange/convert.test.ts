import fc from "fast-check";
import { expect, test } from "vitest";
import { money } from "#lib/money.ts";
import { toNairaDown, toNairaUp, toRate, toRateNumber } from "./convert.ts";

/** Rates are in ten-thousandths of a Naira for a dollar. */
const RATE_SCALE = 10_000n;

const cents = fc.bigInt({ min: 0n, max: 10n ** 9n });
const rates = fc.bigInt({ min: 1n, max: 10n ** 9n });

test("a merchant never pays less and never gets more than the exact value, and each differs from it by less than a kobo", () => {
  fc.assert(
    fc.property(cents, rates, (amount, rate) => {
      const exact = amount * rate;
      const paidTooMuch = toNairaUp(money(amount, "USD"), rate).minor * RATE_SCALE - exact;
      const gotTooLittle = exact - toNairaDown(money(amount, "USD"), rate).minor * RATE_SCALE;
      expect(paidTooMuch >= 0n && paidTooMuch < RATE_SCALE).toBe(true);
      expect(gotTooLittle >= 0n && gotTooLittle < RATE_SCALE).toBe(true);
    }),
  );
});

test("a rate of the API keeps its four decimals exactly, and is shown as it was sent", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 9 }), (scaled) => {
      const number = scaled / Number(RATE_SCALE);
      expect(toRate(number)).toBe(BigInt(scaled));
      expect(toRateNumber(BigInt(scaled))).toBe(number);
    }),
  );
});

test.each([0, -1, 1.00001, Number.NaN, Number.POSITIVE_INFINITY, 1e21, 1e-7])("%d is refused as a rate", (number) => {
  expect(toRate(number)).toBeUndefined();
});
