import fc from "fast-check";
import { expect, test } from "vitest";
import { newId } from "#lib/ids.ts";
import { newPublicKey, newSecretKey } from "../api-keys/key-pair.ts";
import { fieldNames, fieldPath, requestPath } from "./field-names.ts";

test("names of our fields stay as they are", () => {
  const ours = ["amount", "customer_email", "callback_url", "max_exchange_rate", "cursor", "line1"];
  expect(fieldNames(ours)).toEqual(ours);
  expect(fieldPath("metadata.colour")).toBe("metadata.colour");
  expect(fieldPath("event_types.3")).toBe("event_types.3");
});

test("a value such as a card number, phone, email, key or token that is sent as a field name is hidden", () => {
  const pan = fc.stringMatching(/^[2-6]\d{12,18}$/);
  const phone = fc.stringMatching(/^(\+234|0)[789]\d{9}$/);
  const token = fc.stringMatching(/^\d{4}-\d{4}-\d{4}-\d{4}-\d{4}$/);
  const key = fc.constantFrom("test", "live").chain((mode) => fc.constantFrom(newSecretKey(mode as "test"), newPublicKey(mode as "test")));
  const value = fc.oneof(
    pan,
    phone,
    token,
    key,
    fc.emailAddress(),
    fc.stringMatching(/^[a-z]*[A-Z ][a-zA-Z ]*$/),
    fc.stringMatching(/^\d{4,}$/),
  );
  fc.assert(
    fc.property(value, fc.stringMatching(/^[a-z_]{0,8}$/), (secret, before) => {
      expect(fieldNames([secret, before + secret])).toEqual(["…"]);
      expect(fieldPath(`metadata.${secret}`)).toBe("…");
    }),
  );
});

test("a CVV, and a phone or card number that is written with dots, is hidden", () => {
  expect(fieldNames(["123", "1234"])).toEqual(["…"]);
  for (const path of ["080.312.345.67", "411.111.111.111.111.1", "1", "rows.1.2", "amount.080.312"]) expect(fieldPath(path)).toBe("…");
  expect(fieldPath("rows.3.phone")).toBe("rows.3.phone");
});

test("a path keeps words, ids and references, and hides everything else", () => {
  const id = newId("card");
  for (const path of [
    `/api/v1/virtual-cards/${id}/fund`,
    "/api/v1/vtu/data-plans",
    `/pay/${"0A".repeat(16)}Z`,
    "/api/v1/virtual-cards/cardholders/281474976710655",
    "/",
  ]) {
    expect(requestPath(path)).toBe(path);
  }
  for (const value of ["5399838383838381", "sk_test_4eC39HqLyjWDarjtT1zdp7dc", "0803%201", "Canary", "ada@example.com"]) {
    expect(requestPath(`/api/v1/virtual-cards/${value}`)).toBe("/api/v1/virtual-cards/…");
  }
});

test("at most 40 field names are kept, without repetitions and shortened, whatever is sent", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 300 }), { maxLength: 200 }), (names) => {
      const kept = fieldNames(names);
      expect(kept.length).toBeLessThanOrEqual(40);
      expect(new Set(kept).size).toBe(kept.length);
      for (const name of kept) expect(name.length).toBeLessThanOrEqual(42);
    }),
  );
});
