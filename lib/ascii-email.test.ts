import { expect, test } from "vitest";
import { asciiEmail } from "./ascii-email.ts";

test.each([
  ["ada@büro.example", "ada@xn--bro-hoa.example"],
  ["ada@BÜRO.example", "ada@xn--bro-hoa.example"],
  ["ada@例え.example", "ada@xn--r8jz45g.example"],
  ["ada@shop.example", "ada@shop.example"],
  ["Ada@Shop.example", "Ada@Shop.example"],
  ["ada", "ada"],
  ["@büro.example", "@büro.example"],
  ["ada@büro.example/x", "ada@büro.example/x"],
  ["ada@bü ro.example", "ada@bü ro.example"],
  ["ada@büro.example:80", "ada@büro.example:80"],
])("the email %s is stored as %s", (text, stored) => {
  expect(asciiEmail(text)).toBe(stored);
});
