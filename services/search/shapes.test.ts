import { describe, expect, test } from "vitest";
import type { MerchantContext } from "../context.ts";
import { ALL_PERMISSIONS } from "../permissions.ts";
import { search } from "./index.ts";
import { shapesOf } from "./shapes.ts";

// This file has no database: a query would throw.

const TAIL = "01K9ZZZZZZ0123456789ABCDEF";
const REFERENCE = "4WXYZ0123456789ABCDEFGHJK0PQRSTVW";

describe("text is read as people paste it", () => {
  test.each([
    ["in any case", `CARD_${TAIL.toLowerCase()}`],
    ["with spaces around it", ` card_${TAIL}\n`],
    ["with spaces and dashes within it", `card_${TAIL.slice(0, 9)}-${TAIL.slice(9, 20)} ${TAIL.slice(20)}`],
    ["in quotes", `“card_${TAIL}”,`],
    ["with characters that no screen shows", `\u202acard_${TAIL.slice(0, 4)}\u200b${TAIL.slice(4)}\u0000`],
    ["at the end of an address", `https://app.oja.example/b/biz_1/test/cards/card_${TAIL}?tab=spend#top`],
  ])("an id %s", (_, text) => {
    expect(shapesOf(text)).toEqual([{ type: "id", kind: "card", id: `card_${TAIL}` }]);
  });

  test("the address of a payer's page is read as a reference, with and without its scheme and with more text behind it", () => {
    for (const text of [
      REFERENCE,
      `https://oja.example/pay/${REFERENCE}`,
      `oja.example/pay/${REFERENCE.toLowerCase()}/`,
      `'http://localhost:3000/pay/${REFERENCE}/x?a=b'`,
    ])
      expect(shapesOf(text)).toContainEqual({ type: "reference", reference: REFERENCE });
  });

  test("an order number is the id of its link, and the id of a purchase is longer than other ids", () => {
    expect(shapesOf(TAIL)).toContainEqual({ type: "id", kind: "paymentLink", id: `pl_${TAIL}` });
    expect(shapesOf(`VTU_${TAIL}012345678`)).toEqual([{ type: "id", kind: "purchase", id: `vtu_${TAIL}012345678` }]);
    for (const text of [`vtu_${TAIL}`, `card_${TAIL}012345678`]) expect(shapesOf(text).map(({ type }) => type)).not.toContain("id");
  });

  test.each(["08031234567", "0803 123 4567", "+234 803-123-4567", "234(0)8031234567", "00234 803 123 4567"])("the phone %s", (text) => {
    expect(shapesOf(text)).toContainEqual({ type: "phone", phone: "+2348031234567" });
  });

  test.each([
    ["０１２３４５６７８９", "0123456789"],
    ["٠١٢٣٤٥٦٧٨٩", "0123456789"],
    ["۰۱۲۳ ۴۵۶ ۷۸۹", "0123456789"],
    ["0123﹘456－789", "0123456789"],
  ])("%s is read as the digits of an account number, also in the digits of another script", (text, accountNumber) => {
    expect(shapesOf(text)).toContainEqual({ type: "account", accountNumber });
  });

  test("four digits, a card number and an id are recognised in full-width and other digits", () => {
    for (const text of ["٤٢٤٢", "**** ４２４２", "４２４２ ４２４２ ４２４２ ４２４２"])
      expect(shapesOf(text)).toContainEqual({ type: "last4", last4: "4242" });
    expect(shapesOf("４２４２ ４２４２ ４２４２ ４２４２")).toHaveLength(1);
    expect(shapesOf(`ｃａｒｄ＿${TAIL}`)).toEqual([{ type: "id", kind: "card", id: `card_${TAIL}` }]);
  });

  test("a raised digit does not count as a digit", () => {
    expect(shapesOf("012345678⁹").map(({ type }) => type)).not.toContain("account");
  });

  test("a phone of another country needs its plus sign", () => {
    expect(shapesOf("+44 20 7946 0958")).toContainEqual({ type: "phone", phone: "+442079460958" });
    expect(shapesOf("44 20 7946 0958").map(({ type }) => type)).not.toContain("phone");
  });

  test("an email in any case, also as a link or between angle brackets", () => {
    for (const text of ["Ada@Shop.Example", "mailto:ada@shop.example", "<ada@shop.example>,"])
      expect(shapesOf(text)).toEqual([{ type: "email", email: "ada@shop.example" }]);
  });

  test("four digits, alone or behind a mask, are the last four of a card", () => {
    for (const text of ["4242", "**** **** **** 4242", "•••• 4242", "xxxx-xxxx-xxxx-4242"])
      expect(shapesOf(text)).toContainEqual({ type: "last4", last4: "4242" });
  });

  test("a bank session keeps its capitals, and its digits lose their spaces", () => {
    expect(shapesOf("Abc-1")).toContainEqual({ type: "session", sessionIds: ["Abc-1", "ABC-1", "abc-1", "Abc1", "ABC1", "abc1"] });
    expect(shapesOf("000013 240101 120000")).toContainEqual({ type: "session", sessionIds: ["000013240101120000"] });
  });

  test("digits are read as every kind of number that they can be", () => {
    const typesOf = (text: string) => shapesOf(text).map(({ type }) => type);
    expect(typesOf("7034562211")).toEqual(["account", "phone", "recipient", "cardholder", "session"]);
    expect(typesOf("08031234567")).toEqual(["phone", "recipient", "session"]);
    expect(typesOf("123456789012345")).toEqual(["cardholder", "session"]);
  });
});

test("of a whole card number, only the last four digits are ever looked for", () => {
  for (const text of ["4242424242424242", "5555 5555 5555 4444", "4242-4242-4242-4242"])
    expect(shapesOf(text)).toEqual([{ type: "last4", last4: text.slice(-4) }]);
  for (const text of ["VISA 4242 4242 4242 4242", "4242 4242 4242 4242 CVV 123", "4242424242424242x"])
    expect([text, shapesOf(text)]).toEqual([text, [{ type: "last4", last4: "4242" }]]);
});

test("text of no shape is answered without a query", async () => {
  const ctx: MerchantContext = {
    merchant: {
      ...{ id: "mer_1", number: 1, businessId: "biz_1", businessName: "x", mode: "test", status: "active", isOtherModeSuspended: false },
      ...{ requestsPerSecond: 1, requestBurst: 1, areas: ["checkout", "cards", "vtu"], bank: "sandbox", aggregator: null, issuer: null },
    },
    ...{ actor: { type: "api_key", id: "key_1" }, requestId: null, address: null, permissions: ALL_PERMISSIONS },
  };
  const noShapes = [
    "",
    "   ",
    '""',
    "where is my money?",
    "%",
    "' or 1=1 --",
    "a%b_c*",
    "https://",
    "..",
    `card_${TAIL}${" ".repeat(200)}`,
    "\u0000",
    "\ud800",
  ];
  for (const text of noShapes) {
    expect([text, shapesOf(text)]).toEqual([text, []]);
    const hits = Object.values(await search(ctx, text)).flatMap(({ items }) => items as unknown[]);
    expect(hits).toEqual([]);
  }
  // Ids of kinds that merchants do not see, or that no noun reads by their id.
  for (const prefix of ["usr", "ses", "sus", "mer", "biz", "mai"]) await search(ctx, `${prefix}_${TAIL}`);
  await expect(search(ctx, TAIL)).rejects.toThrow();
});
