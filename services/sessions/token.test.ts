import { decode } from "next-auth/jwt";
import { beforeEach, expect, test, vi } from "vitest";
import { sessionIdOf, tokenOf } from "./token.ts";

vi.mock("next-auth/jwt", async (original) => {
  const actual = await original<typeof import("next-auth/jwt")>();
  return { ...actual, decode: vi.fn(actual.decode) };
});
beforeEach(() => {
  process.env.DATABASE_URL ??= "postgres://localhost/none";
  process.env.OJA_SECRET_KEY ??= "a key of this test, which guards nothing";
  vi.mocked(decode).mockClear();
});

const withHeader = (header: object) =>
  `${Buffer.from(JSON.stringify(header)).toString("base64url")}..${"a".repeat(16)}.abc.${"a".repeat(22)}`;

test("a token of ours names its session", async () => {
  expect(await sessionIdOf(await tokenOf("ses_1"))).toBe("ses_1");
  expect(decode).toHaveBeenCalledTimes(1);
});

test.each([
  ["asks for a key derived from a password", withHeader({ alg: "PBES2-HS512+A256KW", enc: "A256GCM", p2c: 10_000, p2s: "c2FsdHNhbHQ" })],
  ["names another algorithm", withHeader({ alg: "A256KW", enc: "A256GCM" })],
  ["names a compression", withHeader({ alg: "dir", enc: "A256GCM", zip: "DEF" })],
  ["is longer than any of ours", `${withHeader({ alg: "dir", enc: "A256GCM" })}${"x".repeat(1_000)}`],
  ["has no header", "nonsense"],
  ["is empty", ""],
])("a token that %s is refused before it is decrypted", async (_flaw, token) => {
  expect(await sessionIdOf(token)).toBeUndefined();
  expect(decode).not.toHaveBeenCalled();
});
