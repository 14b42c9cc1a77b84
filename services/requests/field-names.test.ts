import fc from "fast-check";
import { expect, test } from "vitest";
import { newPublicKey, newSecretKey } from "../api-keys/key-pair.ts";
import { fieldNames, fieldPath } from "./field-names.ts";

test("names of our fields stay as they are", () => {
  const ours = ["amount", "customer_email", "callback_url", "max_exchange_rate", "cursor", "line1"];
  expect(fieldNames(ours)).toEqual(ours);
  expect(fieldPath("metadata.colour")).toBe("metadata.colour");
  expect(fieldPath("event_types.3")).toBe("event_types.3");
});

test("a card number, a phone, an email, a key, a token or any text with capitals in the place of a name is hidden", () => {
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

test("at most 40 names stay, each once and each short, whatever is sent", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 300 }), { maxLength: 200 }), (names) => {
      const kept = fieldNames(names);
      expect(kept.length).toBeLessThanOrEqual(40);
      expect(new Set(kept).size).toBe(kept.length);
      for (const name of kept) expect(name.length).toBeLessThanOrEqual(42);
    }),
  );
});
