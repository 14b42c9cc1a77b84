import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guessNetwork, type Network } from "#lib/phone.ts";
import { inFours, isMeter, isSmartCard, phoneText, recipientText, typedNaira, typedNumber, typedPhone } from "./numbers.ts";

describe("a phone number", () => {
  test.each([
    "08031234567",
    "0803 123 4567",
    "0803-123-4567",
    "+234 803 123 4567",
    "+234 (0) 803 123 4567",
    "2348031234567",
    "002348031234567",
    "\u202a+234 803 123 4567\u202c",
    "0803\u2011123\u20114567",
    " 0803\u00a0123\u00a04567\u200b",
  ])("is read as people paste it: %j", (text) => {
    expect(typedPhone(text)).toBe("+2348031234567");
  });

  test.each(["", "0803123456", "080312345678", "01 234 5678", "+44 7700 900123", "0803123456a", "call 08031234567"])(
    "text that is no phone number is refused: %j",
    (text) => {
      expect(typedPhone(text)).toBeUndefined();
    },
  );

  test("is the same with any separators between its digits, and is shown as it can be typed", () => {
    const separators = fc.constantFrom("", " ", "-", "\u00a0", "\u2011", "\u200b", ".");
    const subscriber = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(
        fc.constantFrom("70", "80", "81", "90", "91"),
        subscriber,
        fc.constantFrom("0", "+234", "234"),
        separators,
        (head, rest, prefix, gap) => {
          const digits = `${head}${rest.join("")}`;
          const phone = typedPhone(`${prefix}${gap}${[...digits].join(gap)}`);
          expect(phone).toBe(`+234${digits}`);
          expect(typedPhone(phoneText(phone ?? ""))).toBe(phone);
        },
      ),
    );
  });

  test.each<[string, Network]>([
    ["0803 123 4567", "mtn"],
    ["0913 123 4567", "mtn"],
    ["0805 123 4567", "glo"],
    ["0802 123 4567", "airtel"],
    ["0809 123 4567", "9mobile"],
  ])("%s is guessed to be of %s", (text, network) => {
    expect(guessNetwork(typedPhone(text) ?? "")).toBe(network);
  });

  test("no network is guessed for a prefix that no network has", () => {
    expect(guessNetwork(typedPhone("0900 123 4567") ?? "")).toBeUndefined();
  });
});

describe("the number of a meter or a smart card", () => {
  test("is read without its separators and marks, in capitals", () => {
    expect(typedNumber(" 4501-2345 678\u200b")).toBe("45012345678");
    expect(typedNumber("ek 12-34\u2013ab")).toBe("EK1234AB");
  });

  test("a meter or smart-card number is complete only at an existing length", () => {
    const lengthsOf = (broadcaster: string | undefined) =>
      Array.from({ length: 15 }, (_, n) => n + 1).filter((length) => isSmartCard("1".repeat(length), broadcaster));
    expect([lengthsOf("DSTV"), lengthsOf("GOTV"), lengthsOf("Startimes"), lengthsOf(undefined)]).toEqual([[10], [10], [11], [10]]);
    expect(isMeter("1".repeat(11), false)).toBe(true);
    expect(isMeter("1".repeat(13), false)).toBe(true);
    expect(isMeter("1".repeat(12), false)).toBe(false);
    expect(isMeter("EK1234AB", false)).toBe(false);
    expect(isMeter("EK1234AB", true)).toBe(true);
    expect(isMeter("1".repeat(12), true)).toBe(false);
  });

  test("shown in groups of four is the same number when it is typed back", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-Z]{1,20}$/), (number) => {
        expect(typedNumber(inFours(number))).toBe(number);
      }),
    );
    expect(inFours("7034562211")).toBe("7034 5622 11");
    expect(recipientText("+2348031234567")).toBe("0803 123 4567");
  });
});

describe("an amount of Naira", () => {
  test.each([
    ["500", 50_000n],
    ["₦1,500.50", 150_050n],
    ["N 1 500", 150_000n],
    ["NGN2,000.5", 200_050n],
    ["\u200e₦100", 10_000n],
    ["0", 0n],
  ])("%j is %s kobo", (text, kobo) => {
    expect(typedNaira(text)).toBe(kobo);
  });

  test.each(["", "₦", "1.234", "-5", "−5", "1e3", "five", "1.2.3", "99999999999"])(
    "an amount is never rounded or guessed: %j is refused",
    (text) => {
      expect(typedNaira(text)).toBeUndefined();
    },
  );

  test("of any size is read as it is written with commas", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999n }), (kobo) => {
        const whole = String(kobo / 100n).replace(/\B(?=(\d{3})+$)/g, ",");
        expect(typedNaira(`₦${whole}.${String(kobo % 100n).padStart(2, "0")}`)).toBe(kobo);
      }),
    );
  });
});
