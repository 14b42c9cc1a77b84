import { expect, test } from "vitest";
import { callbackFor } from "./callback.ts";

const at = (callbackUrl: string | null) => callbackFor({ callbackUrl, reference: "REF", status: "success" });

test.each([
  ["https://shop.example", "https://shop.example/?reference=REF&status=success"],
  ["https://shop.example/x?", "https://shop.example/x?reference=REF&status=success"],
  ["https://shop.example/x?a=b%20c&d", "https://shop.example/x?a=b%20c&d&reference=REF&status=success"],
  ["https://shop.example/x?reference=theirs#part", "https://shop.example/x?reference=theirs&reference=REF&status=success#part"],
])("%s keeps its own query to the letter and gains ours", (callbackUrl, expected) => {
  expect(at(callbackUrl)).toBe(expected);
});

test("a link without a callback leads nowhere", () => {
  expect(at(null)).toBeNull();
});
