import { expect, test } from "vitest";
import { callbackFor } from "./callback.ts";

const at = (callbackUrl: string | null) => callbackFor({ callbackUrl, reference: "REF", status: "success" });

test.each([
  ["https://shop.example", "https://shop.example/?reference=REF&status=success"],
  ["https://shop.example/x?", "https://shop.example/x?reference=REF&status=success"],
  ["https://shop.example/x?a=b%20c&d", "https://shop.example/x?a=b%20c&d&reference=REF&status=success"],
  ["https://shop.example/x?reference=theirs#part", "https://shop.example/x?reference=REF&status=success#part"],
  ["https://shop.example/x?a=1&st%61tus=paid&b=%zz&status", "https://shop.example/x?a=1&b=%zz&reference=REF&status=success"],
])("%s keeps its own query, except parameters with our names, and our parameters are appended", (callbackUrl, expected) => {
  expect(at(callbackUrl)).toBe(expected);
});

test("a link without a callback has no address to return to", () => {
  expect(at(null)).toBeNull();
});
