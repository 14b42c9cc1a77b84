import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toDelivery } from "./vtpass-delivery.ts";

const [A, B] = ["12345678901234567890", "09876543210987654321"];
const spaced = (token: string) => token.replaceAll(/(\d{4})(?=\d)/g, "$1 ");

describe("the tokens and units of a disco are found", () => {
  test.each([
    ["in purchased_code, in groups of digits", { purchased_code: `Token : ${spaced(A)}` }, [A]],
    ["as two tokens in purchased_code", { purchased_code: `Token : ${spaced(A)}, Token : ${spaced(B)}` }, [A, B]],
    ["with the main token before the bonus token", { bonusToken: B, mainToken: A }, [A, B]],
    ["with dashes between the digits", { mainToken: A.replaceAll(/(\d{4})(?=\d)/g, "$1-") }, [A]],
    ["in a list, each once", { tokens: [A, B], Token: A }, [A, B]],
    ["once, if two fields have the same token", { token: A, purchased_code: `Token : ${A}` }, [A]],
    ["with leading zeros", { token: "00000000000000000001" }, ["00000000000000000001"]],
    ["as none, in an empty purchased_code", { purchased_code: "" }, []],
    ["as none, in a number of another length", { token: "123456789012345678901234" }, []],
    ["as none, in a number that is not text", { token: 12_345 }, []],
  ])("%s", (_name, reply, tokens) => {
    expect(toDelivery("electricity", reply)?.tokens).toEqual(tokens);
  });

  test.each([
    [{ units: "45.6 kWh" }, "45.6 kWh"],
    [{ Units: "45.6" }, "45.6 kWh"],
    [{ mainTokenUnits: 45 }, "45 kWh"],
    [{}, null],
  ])("as units in %j", (reply, units) => {
    expect(toDelivery("electricity", reply)?.units).toBe(units);
  });
});

test("every token is read from groups of digits with any separator between tokens", () => {
  const token = fc.stringMatching(/^\d{20}$/);
  fc.assert(
    fc.property(fc.uniqueArray(token, { minLength: 1, maxLength: 4 }), fc.constantFrom(", ", " | ", "||", "\n"), (tokens, between) => {
      expect(toDelivery("electricity", { purchased_code: tokens.map(spaced).join(between) })?.tokens).toEqual(tokens);
    }),
  );
});

test("pins are read from both fields as text, and an unreadable list is not an empty list", () => {
  expect(toDelivery("exam", { cards: [{ Serial: "S1", Pin: 123 }] })?.pins).toEqual([{ serial: "S1", pin: "123" }]);
  expect(toDelivery("exam", { pins: [{ serialNumber: "S1", pin: "0123" }] })?.pins).toEqual([{ serial: "S1", pin: "0123" }]);
  expect(toDelivery("exam", {})).toBeUndefined();
  expect(toDelivery("exam", { cards: [{ Serial: "S1" }] })).toBeUndefined();
});
