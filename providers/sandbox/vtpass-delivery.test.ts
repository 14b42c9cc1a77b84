import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toDelivery } from "./vtpass-delivery.ts";

const [A, B] = ["12345678901234567890", "09876543210987654321"];
const spaced = (token: string) => token.replaceAll(/(\d{4})(?=\d)/g, "$1 ");

describe("the tokens of a disco are found under whatever name it has for them", () => {
  test.each([
    ["purchased_code in groups", { purchased_code: `Token : ${spaced(A)}` }, [A]],
    ["two in purchased_code", { purchased_code: `Token : ${spaced(A)}, Token : ${spaced(B)}` }, [A, B]],
    ["a main token before its bonus", { bonusToken: B, mainToken: A }, [A, B]],
    ["dashes", { mainToken: A.replaceAll(/(\d{4})(?=\d)/g, "$1-") }, [A]],
    ["a list", { tokens: [A, B], Token: A }, [A, B]],
    ["the same under two names", { token: A, purchased_code: `Token : ${A}` }, [A]],
    ["a token that begins with zeros", { token: "00000000000000000001" }, ["00000000000000000001"]],
    ["no token", { purchased_code: "" }, []],
    ["a number of other length is no token", { token: "123456789012345678901234" }, []],
    ["a number and not text", { token: 12_345 }, []],
  ])("%s", (_what, reply, tokens) => {
    expect(toDelivery("electricity", reply)?.tokens).toEqual(tokens);
  });

  test.each([
    [{ units: "45.6 kWh" }, "45.6 kWh"],
    [{ Units: "45.6" }, "45.6 kWh"],
    [{ mainTokenUnits: 45 }, "45 kWh"],
    [{}, null],
  ])("units: %j", (reply, units) => {
    expect(toDelivery("electricity", reply)?.units).toBe(units);
  });
});

test("every token survives being written in groups, with anything between", () => {
  const token = fc.stringMatching(/^\d{20}$/);
  fc.assert(
    fc.property(fc.uniqueArray(token, { minLength: 1, maxLength: 4 }), fc.constantFrom(", ", " | ", "||", "\n"), (tokens, between) => {
      expect(toDelivery("electricity", { purchased_code: tokens.map(spaced).join(between) })?.tokens).toEqual(tokens);
    }),
  );
});

test("pins are read under both names, as text, and a list that cannot be read is not an empty one", () => {
  expect(toDelivery("exam", { cards: [{ Serial: "S1", Pin: 123 }] })?.pins).toEqual([{ serial: "S1", pin: "123" }]);
  expect(toDelivery("exam", { pins: [{ serialNumber: "S1", pin: "0123" }] })?.pins).toEqual([{ serial: "S1", pin: "0123" }]);
  expect(toDelivery("exam", {})).toBeUndefined();
  expect(toDelivery("exam", { cards: [{ Serial: "S1" }] })).toBeUndefined();
});
