import { afterEach, expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { checksum, randomBase62 } from "#lib/secrets.ts";
import { withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { aMerchant } from "../merchants/merchant.fixture.ts";
import { authenticate } from "./authenticate.ts";

withDatabase();
afterEach(() => vi.restoreAllMocks());

const aPublicKey = () => `pk_test_${randomBase62(24)}`;
function aSecretKey(): string {
  const random = randomBase62(32);
  return `sk_test_${random}${checksum(random)}`;
}
const outcomeOf = (publicKey: string, secretKey: string) =>
  authenticate({ publicKey, secretKey, address: "192.0.2.1" }).then(
    () => "accepted",
    (error) => error.code,
  );

/** Hides the table of keys while `run` runs, so that every read of it fails with 42P01. */
async function withoutKeysTable(run: () => Promise<void>): Promise<void> {
  await sql()`alter table api_keys rename to hidden_keys`;
  try {
    await run();
  } finally {
    await sql()`alter table hidden_keys rename to api_keys`;
  }
}

test("a secret key with a wrong checksum or mode never reaches the database", async () => {
  await withoutKeysTable(async () => {
    const secretKey = aSecretKey();
    const last = secretKey.at(-1) === "x" ? "y" : "x";
    for (const wrong of [
      `${secretKey.slice(0, -1)}${last}`,
      secretKey.slice(0, -1),
      `${secretKey}x`,
      secretKey.replace("test", "live"),
      "sk_test_",
      "",
    ]) {
      expect(["INVALID_CREDENTIALS", "MISSING_CREDENTIALS"]).toContain(await outcomeOf(aPublicKey(), wrong));
    }
    expect(await outcomeOf(aPublicKey(), secretKey)).toBe("42P01");
  });
});

test("an unknown public key is remembered for a second and then read again", async () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(1_000_000);
  const unknown = aPublicKey();
  expect(await outcomeOf(unknown, aSecretKey())).toBe("INVALID_CREDENTIALS");
  await withoutKeysTable(async () => expect(await outcomeOf(unknown, aSecretKey())).toBe("INVALID_CREDENTIALS"));
  clock.mockReturnValue(1_001_001);
  // The cache keeps the time that it read until a timer of its own has fired.
  await withoutKeysTable(async () => {
    await until(async () => (await outcomeOf(unknown, aSecretKey())) === "42P01");
  });
});

test("a key pair that was created is accepted", async () => {
  const { key } = await aMerchant();
  expect(await outcomeOf(key.publicKey, key.secretKey)).toBe("accepted");
});
