import { scryptSync } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { times } from "#testing/until.ts";
import { checkPassword, decoyHash, hashPassword } from "./passwords.ts";

test("any password is right with its own hash and wrong with any other", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 128 }), fc.string({ unit: "binary", maxLength: 128 }), async (one, other) => {
      const hash = await hashPassword(one);
      expect(await checkPassword(one, hash)).toBe("right");
      expect(await checkPassword(other, hash)).toBe(one.normalize("NFKC") === other.normalize("NFKC") ? "right" : "wrong");
    }),
    { numRuns: 15 },
  );
});

test("a hash names argon2id and OWASP's cost, and two hashes of a password differ", async () => {
  const [one, other] = await Promise.all(times(2, () => hashPassword("correct horse battery")));
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(other).not.toBe(one);
});

test("no password matches the hash that stands in for an unknown user, and checking it costs as much as any other", async () => {
  const nobody = decoyHash();
  expect(await checkPassword("", nobody)).toBe("wrong");
  expect(nobody.split("$").slice(0, 4)).toEqual((await hashPassword("correct horse battery")).split("$").slice(0, 4));
  expect(nobody.length).toBe((await hashPassword("correct horse battery")).length);
});

test("a text too long for a password is wrong at once, and is never hashed", async () => {
  const long = `a${"\u0301\u0316".repeat(500_000)}`;
  const hash = await hashPassword("correct horse battery");
  expect(await checkPassword(long, hash)).toBe("wrong");
  await expect(hashPassword(long)).rejects.toThrow("too long");
});

test("a password typed with other code points of the same letters is the same password", async () => {
  expect(await checkPassword("Ọmọ ọba 2026!", await hashPassword("Ọmọ ọba 2026!".normalize("NFD")))).toBe("right");
});

test("a hash of argon2's reference implementation is read, and a hash of a lower cost is outdated", async () => {
  // From the tests of https://github.com/P-H-C/phc-winner-argon2: argon2id, v=19, m=65536, t=2, p=1, "password", "somesalt".
  const reference = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
  expect(await checkPassword("password", reference)).toBe("outdated");
  expect(await checkPassword("passwort", reference)).toBe("wrong");
});

test("an older hash of scrypt matches its password and is outdated", async () => {
  const salt = "Vb3kQ9x";
  const hash = scryptSync("correct horse battery", salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 }).toString("hex");
  expect(await checkPassword("correct horse battery", `scrypt$${salt}$${hash}`)).toBe("outdated");
  expect(await checkPassword("correct horse", `scrypt$${salt}$${hash}`)).toBe("wrong");
});

test.each(["", "scrypt$salt$00", "$argon2i$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$AAAA", "$argon2id$v=19$m=19456,t=2$c29tZXNhbHQ$AAAA"])(
  "a stored text that is no hash of ours is an error, not a wrong password: %j",
  async (stored) => {
    await expect(checkPassword("password", stored)).rejects.toThrow("has an unknown format");
  },
);
