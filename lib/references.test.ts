import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type * as References from "./references.ts";

const KEYS = ["a", "b", "c"].map((letter) => letter.repeat(32));

/** Returns the module as a process with these settings has it. */
async function withKeys(secretKey: string, ...old: string[]): Promise<typeof References> {
  vi.stubEnv("DATABASE_URL", "postgres://localhost/none");
  vi.stubEnv("OJA_SECRET_KEY", secretKey);
  vi.stubEnv("OJA_OLD_SECRET_KEYS", old.join(", "));
  vi.resetModules();
  return import("./references.ts");
}

let references: typeof References;

beforeEach(async () => {
  references = await withKeys(KEYS[0] ?? "");
});
afterEach(() => vi.unstubAllEnvs());

const LAST = 2 ** 40 - 1;
const aNumber = fc.oneof(fc.integer({ min: 1, max: LAST }), fc.constantFrom(1, 2 ** 31, 2 ** 32, LAST));
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

describe("a reference", () => {
  test("names its merchant, whatever its number", () => {
    fc.assert(
      fc.property(aNumber, (number) => {
        for (const reference of [references.newLinkReference(number), references.newPurchaseId(number)])
          expect(references.merchantNumbersIn(reference)).toEqual([number]);
      }),
    );
  });

  test("names another merchant, or none, where any of its characters is changed", () => {
    for (const reference of [references.newLinkReference(7), references.newPurchaseId(7)]) {
      for (let at = reference.length - 33; at < reference.length; at++) {
        const other = reference[at] === "0" ? "1" : "0";
        expect(references.merchantNumbersIn(`${reference.slice(0, at)}${other}${reference.slice(at + 1)}`)).not.toEqual([7]);
      }
    }
  });

  test("hides its merchant: in 4,000 references of one merchant, every character of the alphabet occurs at every position except that of the key", () => {
    const made = Array.from({ length: 4_000 }, () => references.newLinkReference(1));
    const seen = Array.from({ length: 33 }, (_, at) => new Set(made.map((reference) => reference[at])).size);
    expect(seen).toEqual(Array.from({ length: 33 }, (_, at) => (at === 24 ? 1 : ALPHABET.length)));
    const ids = Array.from({ length: 4_000 }, () => references.newPurchaseId(1));
    for (let at = 14; at < 39; at++) expect([at, new Set(ids.map((id) => id[at])).size]).toEqual([at, at === 30 ? 1 : ALPHABET.length]);
  });

  test("of a purchase sorts by its time", () => {
    const ids = [1, 1_000, 1_700_000_000_000, 1_800_000_000_000].map((atMs) => references.newPurchaseId(LAST, atMs));
    expect(ids.toSorted()).toEqual(ids);
  });

  test("no reference is made for a number that is not whole, is below 1 or has more than 40 bits", () => {
    for (const number of [0, -1, 1.5, LAST + 1, Number.NaN])
      expect(() => references.newLinkReference(number)).toThrow(/no merchant's number/);
  });

  test("has one form: other text names no merchant", () => {
    const [link, purchase] = [references.newLinkReference(7), references.newPurchaseId(7)];
    const others = [link.toLowerCase(), ` ${link}`, `${link}0`, link.slice(1), `pl_${link}`, purchase.slice(4), purchase.toUpperCase(), ""];
    for (const text of others) expect([text, references.merchantNumbersIn(text)]).toEqual([text, []]);
  });
});

describe("after a change of OJA_SECRET_KEY", () => {
  test("references made before a change of the key are read only while the old key is kept", async () => {
    const [first = "", second = "", third = ""] = KEYS;
    const made = [references.newLinkReference(7), references.newPurchaseId(7)];
    const kept = await withKeys(third, first, second);
    for (const reference of made) expect(kept.merchantNumbersIn(reference)).toEqual([7]);
    expect(kept.merchantNumbersIn(kept.newLinkReference(8))).toEqual([8]);
    const forgotten = await withKeys(third, second);
    for (const reference of made) expect(forgotten.merchantNumbersIn(reference)).toEqual([]);
  });

  test("if two keys share an id, a reference names the merchants that either key reads", async () => {
    const keyId = (reference: string) => reference[24];
    const [first = ""] = KEYS;
    const made = references.newLinkReference(7);
    let twin = "";
    for (let n = 0; twin === ""; n++) {
      const candidate = `another key of 32 characters ${n}`.padEnd(32, "x");
      if (keyId((await withKeys(candidate)).newLinkReference(1)) === keyId(made)) twin = candidate;
    }
    const both = await withKeys(twin, first);
    expect(both.merchantNumbersIn(made)).toHaveLength(2);
    expect(both.merchantNumbersIn(made)).toContain(7);
  });
});
