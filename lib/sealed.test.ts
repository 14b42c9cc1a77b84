import fc from "fast-check";
import { expect, test } from "vitest";
import { withDatabase } from "#testing/database.ts";
import { CannotOpen, open, seal } from "./sealed.ts";

withDatabase();

test("sealed text opens again for its own row", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.string(), (text, row) => {
      expect(open("webhook-secret", seal("webhook-secret", text, row), row)).toBe(text);
    }),
  );
});

test("the same text is sealed differently each time, and the result does not contain it", () => {
  const one = seal("webhook-secret", "whsec_abcdef", "row");
  expect(seal("webhook-secret", "whsec_abcdef", "row")).not.toBe(one);
  expect(one).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
  expect(Buffer.from(one.split(".")[2] ?? "", "base64url").includes("whsec")).toBe(false);
});

test("sealed text that was moved to another row, changed, cut or sealed with another key does not open", () => {
  const sealed = seal("webhook-secret", "whsec_abcdef", "row");
  expect(() => open("webhook-secret", sealed, "another row")).toThrow(CannotOpen);
  const [version, key, content = ""] = sealed.split(".");
  expect(() => open("webhook-secret", `${version}.00000000.${content}`, "row")).toThrow(/OJA_SECRET_KEY/);
  for (const broken of [
    "",
    "v1",
    "v2.x.y",
    `${version}.${key}.`,
    `${version}.${key}.A`,
    `${version}.${key}.AAAA`,
    `${version}.${key}.${"A".repeat(37)}`,
  ]) {
    expect(() => open("webhook-secret", broken, "row")).toThrow(CannotOpen);
  }
  const bytes = Buffer.from(content, "base64url");
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => open("webhook-secret", `${version}.${key}.${changed.toString("base64url")}`, "row")).toThrow(CannotOpen);
  }
});
