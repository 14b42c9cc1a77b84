import fc from "fast-check";
import { expect, test } from "vitest";
import { isAddressOrRange, isWithin } from "./ip-range.ts";
import { toBlockList } from "./peer.ts";

const isTaken = (text: string): boolean => {
  try {
    toBlockList([text]);
    return true;
  } catch {
    return false;
  }
};

const prefixed = (address: fc.Arbitrary<string>) =>
  fc.tuple(address, fc.integer({ min: -1, max: 140 })).map(([ip, bits]) => `${ip}/${bits}`);

test("the form takes what the server takes, for addresses and ranges of both kinds", () => {
  const texts = fc.oneof(fc.ipV4(), fc.ipV6(), prefixed(fc.ipV4()), prefixed(fc.ipV6()), fc.string({ maxLength: 20 }));
  fc.assert(
    fc.property(texts, (text) => {
      expect(isAddressOrRange(text)).toBe(isTaken(text));
    }),
    { numRuns: 2_000 },
  );
});

test.each(["1", "10.0", "127.0.0.1.1", "010.0.0.1", "203.0.113.0/", "203.0.113.0/24/1", "/24", "", "example.com", "203.0.113.0/33"])(
  "%s is neither an address nor a range",
  (text) => {
    expect([isAddressOrRange(text), isTaken(text)]).toEqual([false, false]);
  },
);

test("an address is within its range as the server's list says", () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (network, address, bits) => {
      const range = `${network}/${bits}`;
      expect(isWithin(address, [range])).toBe(toBlockList([range]).check(address, "ipv4"));
      expect(isWithin(network, [range])).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("an IPv6 range contains its addresses and no IPv4 address", () => {
  expect(isWithin("2001:db8::1", ["2001:db8::/32"])).toBe(true);
  expect(isWithin("2001:db9::1", ["2001:db8::/32"])).toBe(false);
  expect(isWithin("203.0.113.7", ["2001:db8::/32", "nonsense"])).toBe(false);
  expect(isWithin("nonsense", ["0.0.0.0/0"])).toBe(false);
});
