import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import { textColourOn } from "./colour.ts";
import { BadSettings, readSettings } from "./env.ts";
import { newId, newReference } from "./ids.ts";
import { describeError } from "./log.ts";
import { clientAddress, networkOf, toBlockList } from "./peer.ts";
import { checksum } from "./secrets.ts";
import { isSigned, sign } from "./signature.ts";

describe("ids", () => {
  test("sort by the time of their creation", () => {
    const ids = [1, 1_000, 1_700_000_000_000, 1_800_000_000_000].map((atMs) => newId("paymentLink", atMs));
    expect(ids.toSorted()).toEqual(ids);
  });

  test("ids and references do not repeat, also when their pool of random bytes is filled again", () => {
    expect(new Set(Array.from({ length: 5_000 }, newReference)).size).toBe(5_000);
    expect(new Set(Array.from({ length: 5_000 }, () => newId("event", 0))).size).toBe(5_000);
  });

  test("references have 26 characters of 5 random bits: every character of the alphabet occurs at every position", () => {
    const references = Array.from({ length: 4_000 }, newReference);
    for (let position = 0; position < 26; position++) expect(new Set(references.map((reference) => reference[position])).size).toBe(32);
  });
});

test("JSON values that differ only in the order of their fields have the same canonical form", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse());
      expect(canonicalJson(reversed)).toBe(canonicalJson(value));
    }),
  );
  expect(canonicalJson({ a: [1, 2] })).not.toBe(canonicalJson({ a: [2, 1] }));
});

test("text on any brand colour has a contrast of at least 4.5", () => {
  const luminance = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
  fc.assert(
    fc.property(colour, (background) => {
      const [light = 0, dark = 0] = [luminance(background), luminance(textColourOn(background))].toSorted((a, b) => b - a);
      expect((light + 0.05) / (dark + 0.05)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

describe("settings", () => {
  const good = { DATABASE_URL: "postgres://u:p@localhost/oja", OJA_SECRET_KEY: "x".repeat(32) };

  test("report all invalid values at once and say what each must be", () => {
    const read = () => readSettings({ PORT: "70000", BASE_URL: "oja", OJA_SECRET_KEY: "short", DATABASE_URL: "mysql://x" });
    expect(read).toThrow(BadSettings);
    expect(read).toThrow(/DATABASE_URL must begin with postgres.*OJA_SECRET_KEY must be at least 32.*PORT.*BASE_URL/);
    expect(() => readSettings({})).toThrow(/DATABASE_URL is not set; OJA_SECRET_KEY is not set/);
  });

  test("have defaults derived from the port, and an empty value counts as not set", () => {
    expect(readSettings({ ...good, PORT: "4000", BASE_URL: "" })).toMatchObject({ BASE_URL: "http://localhost:4000", PORT: 4_000 });
    expect(readSettings({ ...good, BASE_URL: "https://oja.example/" }).BASE_URL).toBe("https://oja.example");
  });

  test("settings refuse an old secret key that is too short, and a comma in the secret key, because old keys are separated by commas", () => {
    expect(() => readSettings({ ...good, OJA_OLD_SECRET_KEYS: `${"y".repeat(32)},short` })).toThrow(
      /OJA_OLD_SECRET_KEYS must be keys of at least 32/,
    );
    expect(() => readSettings({ ...good, OJA_SECRET_KEY: `${"x".repeat(32)},` })).toThrow(/OJA_SECRET_KEY must have no comma/);
    expect(readSettings({ ...good, OJA_OLD_SECRET_KEYS: ` ${"y".repeat(32)} , ${"z".repeat(33)}` }).OJA_OLD_SECRET_KEYS).toHaveLength(2);
  });

  test("a setting stands in the environment or in a file that NAME_FILE names, without its last new line", () => {
    const folder = mkdtempSync(join(tmpdir(), "settings-"));
    const file = join(folder, "key");
    const { OJA_SECRET_KEY, ...others } = good;
    const read = (given: Record<string, string>) => readSettings({ ...others, ...given });
    for (const [text, key] of [
      [OJA_SECRET_KEY, OJA_SECRET_KEY],
      [`${OJA_SECRET_KEY}\n`, OJA_SECRET_KEY],
      [`${OJA_SECRET_KEY}\r\n`, OJA_SECRET_KEY],
      [` ${OJA_SECRET_KEY}\n\n`, ` ${OJA_SECRET_KEY}\n`],
    ] as const) {
      writeFileSync(file, text);
      expect(read({ OJA_SECRET_KEY_FILE: file }).OJA_SECRET_KEY).toBe(key);
    }
    expect(read({ OJA_SECRET_KEY, OJA_SECRET_KEY_FILE: "" }).OJA_SECRET_KEY).toBe(OJA_SECRET_KEY);
    expect(() => read({ OJA_SECRET_KEY, OJA_SECRET_KEY_FILE: file })).toThrow(
      /: OJA_SECRET_KEY and OJA_SECRET_KEY_FILE are both set\. See/,
    );
    const missing = /: OJA_SECRET_KEY_FILE names a file that cannot be read \(ENOENT\)\. See/;
    expect(() => read({ OJA_SECRET_KEY_FILE: join(folder, "no-key") })).toThrow(missing);
    writeFileSync(file, "short-secret");
    const short = () => read({ OJA_SECRET_KEY_FILE: file });
    expect(short).toThrow(/OJA_SECRET_KEY must be at least 32 characters/);
    expect(short).toThrow(expect.not.objectContaining({ message: expect.stringContaining("short-secret") }));
    rmSync(folder, { recursive: true });
  });

  test("never show a secret in an error message", () => {
    const secret = "short-secret";
    expect(() => readSettings({ ...good, OJA_SECRET_KEY: secret })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(secret) }),
    );
  });
});

test("settings with a live provider are refused without an https BASE_URL", () => {
  const base = { DATABASE_URL: "postgres://localhost/oja", OJA_SECRET_KEY: "x".repeat(32), OJA_LIVE_BANK: "some-bank" };
  const unsafe = /BASE_URL must begin with https:\/\/ where OJA_LIVE_BANK is set/;
  for (const BASE_URL of [undefined, "", "http://oja.example"]) expect(() => readSettings({ ...base, BASE_URL })).toThrow(unsafe);
  expect(() => readSettings({ ...base, BASE_URL: "https://oja.example" })).not.toThrow(unsafe);
});

test("the hosts of PGHOST stand in a URL that names none, if they are several, with their port", () => {
  const read = (given: Record<string, string>) => readSettings({ OJA_SECRET_KEY: "x".repeat(32), ...given }).DATABASE_URL;
  const both = { PGHOST: "db1,db2:5433", PGPORT: "6000" };
  expect(read({ DATABASE_URL: "postgres://u:p@/oja", ...both })).toBe("postgres://u:p@db1:6000,db2:5433/oja?sslmode=require");
  expect(read({ DATABASE_URL: "postgres:///oja", PGHOST: "db1,db2" })).toBe("postgres://db1,db2/oja?sslmode=require");
  expect(read({ DATABASE_URL: "postgres://u:p@db3/oja", ...both })).toBe("postgres://u:p@db3/oja?sslmode=require");
  expect(read({ DATABASE_URL: "postgres:///oja", PGHOST: "localhost" })).toBe("postgres:///oja");
});

test.each([
  ["postgres://u:p@db.example/oja", "postgres://u:p@db.example/oja?sslmode=require"],
  ["postgres://u:p@10.0.0.5:5432/oja?application_name=x", "postgres://u:p@10.0.0.5:5432/oja?application_name=x&sslmode=require"],
  ["postgres://u:p@localhost:5432,db.example:5432/oja", "postgres://u:p@localhost:5432,db.example:5432/oja?sslmode=require"],
  ["postgres://u:p@localhost.evil.example/oja", "postgres://u:p@localhost.evil.example/oja?sslmode=require"],
  ["postgres://u:p@db.example/oja?sslmode=disable", "postgres://u:p@db.example/oja?sslmode=disable"],
  ["postgres://u:p@db.example/oja?sslmode=verify-full", "postgres://u:p@db.example/oja?sslmode=verify-full"],
  ["postgres://u:p@db.example/oja?sslmode=", "postgres://u:p@db.example/oja?sslmode=require"],
  ["postgres://u:p@db.example/oja?application_name=a?ssl=b", "postgres://u:p@db.example/oja?application_name=a?ssl=b&sslmode=require"],
  ["postgres://u:p@localhost/oja", "postgres://u:p@localhost/oja"],
  ["postgres://u:p@127.0.0.2:5433/oja", "postgres://u:p@127.0.0.2:5433/oja"],
  ["postgres://u:p@[::1]:5433/oja", "postgres://u:p@[::1]:5433/oja"],
  ["postgres:///oja?host=/run/postgresql", "postgres:///oja?host=/run/postgresql"],
])("a database on another machine is used with TLS unless its URL sets sslmode: %s", (given, used) => {
  expect(readSettings({ DATABASE_URL: given, OJA_SECRET_KEY: "x".repeat(32) }).DATABASE_URL).toBe(used);
});

test("a database that PGHOST puts on another machine is used with TLS, and a URL with a fragment is refused", () => {
  const read = (settings: Record<string, string>) => readSettings({ OJA_SECRET_KEY: "x".repeat(32), ...settings }).DATABASE_URL;
  expect(read({ DATABASE_URL: "postgres:///oja", PGHOST: "db.example" })).toBe("postgres:///oja?sslmode=require");
  expect(read({ DATABASE_URL: "postgres:///oja", PGHOST: "/run/postgresql" })).toBe("postgres:///oja");
  expect(() => read({ DATABASE_URL: "postgres://db.example/oja#x" })).toThrow(/DATABASE_URL must have no #/);
});

describe("a client's address", () => {
  const proxies = toBlockList(["10.0.0.0/8", "::1"]);
  test.each([
    ["without a forwarded address", "203.0.113.9", null, "203.0.113.9"],
    ["a stranger's forwarded address is ignored", "203.0.113.9", "1.1.1.1", "203.0.113.9"],
    ["a trusted proxy's forwarded address is used", "10.1.2.3", "198.51.100.7", "198.51.100.7"],
    ["the last address before the trusted proxies is used", "10.1.2.3", "6.6.6.6, 198.51.100.7, 10.9.9.9", "198.51.100.7"],
    ["an IPv4 address mapped into IPv6 is written as IPv4", "::ffff:10.1.2.3", "::ffff:198.51.100.7", "198.51.100.7"],
    ["an invalid address ends the search", "10.1.2.3", "198.51.100.7, <script>", "10.1.2.3"],
    ["a port is removed", "10.1.2.3", "6.6.6.6, 198.51.100.7:51234", "198.51.100.7"],
    ["brackets are removed", "10.1.2.3", "6.6.6.6, [2001:db8::5]:443", "2001:db8::5"],
  ])("comes from its connection, and from forwarded headers as far as proxies are trusted: %s", (_name, peer, forwarded, expected) => {
    expect(clientAddress(peer, forwarded, proxies)).toBe(expected);
  });
});

test("an IPv4 address is a network, also written as IPv6, and the first 64 bits of an IPv6 address are one", () => {
  expect(networkOf("::ffff:203.0.113.9")).toBe("203.0.113.9");
  expect(networkOf("::ffff:203.0.113.9")).not.toBe(networkOf("::ffff:203.0.113.10"));
  expect(networkOf("fe80::1%br-4f2a")).toBe(networkOf("fe80::2%eth0_1"));
  expect(networkOf("2001:db8::1")).toBe(networkOf("2001:db8::ffff:2"));
  expect(networkOf("2001:db8::1")).not.toBe(networkOf("2001:db8:0:1::1"));
});

test("a signature is valid for its bytes, its secret and five minutes", () => {
  const signature = sign("secret", "body");
  expect(isSigned("secret", "body", signature)).toBe(true);
  expect(isSigned("secret", "Body", signature)).toBe(false);
  expect(isSigned("Secret", "body", signature)).toBe(false);
  expect(isSigned("secret", "body", null)).toBe(false);
  expect(isSigned("secret", "body", sign("secret", "body", Date.now() - 301_000))).toBe(false);
  expect(isSigned("secret", "body", sign("secret", "body", Date.now() + 301_000))).toBe(false);
});

test("a key's checksum changes with any of its characters", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => {
      expect(checksum(text)).toMatch(/^[0-9A-Za-z]{6}$/);
    }),
  );
  expect(checksum("abc")).not.toBe(checksum("abd"));
});

test("a logged database error shows neither statement, parameters nor values", () => {
  const cause = Object.assign(new Error("duplicate key value violates unique constraint"), {
    name: "PostgresError",
    code: "23505",
    constraint_name: "users_email",
    detail: "Key (email)=(ada@shop.example) already exists.",
    parameters: ["ada@shop.example"],
  });
  const error = new Error("Failed query: insert into users\nparams: ada@shop.example,$scrypt", { cause });
  const said = describeError(error);
  expect(said).toMatchObject({ type: "PostgresError", code: "23505", constraint: "users_email" });
  expect(JSON.stringify(said)).not.toMatch(/ada@|scrypt|insert into/);
});
