import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { revokeApiKey, rollApiKey } from "#services/api-keys/index.ts";
import { resumeMerchant, suspendMerchant } from "#services/merchants/index.ts";
import { anOperator, byOperator } from "#services/merchants/merchant.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { aKey, readWallet, TRUST_THIS_MACHINE, WALLET } from "./api-key.fixture.ts";

withDatabase();
const app = withApp(TRUST_THIS_MACHINE);
const asking = readWallet(app);

test("a request without credentials, or with one key of two, is refused with MISSING_CREDENTIALS", async () => {
  const { key } = await aKey();
  expectError(await asking(undefined), "MISSING_CREDENTIALS");
  expectError(await asking({ ...key, secretKey: "" }), "MISSING_CREDENTIALS");
  expectError(await asking({ ...key, publicKey: "" }), "MISSING_CREDENTIALS");
});

test("keys that are not one pair get one and the same refusal, whatever is wrong with them", async () => {
  const [one, two] = [await aKey(), await aKey()];
  const wrong = [
    { ...one.key, secretKey: two.key.secretKey },
    { ...one.key, secretKey: one.key.secretKey.replace("sk_test_", "sk_live_") },
    { ...one.key, publicKey: one.key.publicKey.replace("pk_test_", "pk_live_") },
    { ...one.key, publicKey: "pk_test_000000000000000000000000" },
    { ...one.key, publicKey: "%00'; drop table api_keys" },
    { ...one.key, secretKey: `${one.key.secretKey}x` },
  ];
  const answers = await Promise.all(wrong.map(asking));
  for (const answer of answers) expectError(answer, "INVALID_CREDENTIALS");
  expect(new Set(answers.map(({ body }) => body.error.message)).size).toBe(1);
});

test("a revoked key stops working, also on a process that has just accepted it", async () => {
  const { key, ctx } = await aKey();
  expect((await asking(key)).status).toBe(200);
  await revokeApiKey(byOperator(ctx), key.id);
  const refused = await until(async () => {
    const answer = await asking(key);
    return answer.status === 401 ? answer : undefined;
  }, 10_000);
  expectError(refused, "KEY_REVOKED");
});

test("a rolled key works beside its successor until the overlap ends", async () => {
  const { key, ctx } = await aKey();
  const next = await rollApiKey(byOperator(ctx), key.id, 1);
  expect((await asking(key)).status).toBe(200);
  expect((await asking(next.key)).status).toBe(200);
  const other = await aKey();
  await rollApiKey(byOperator(other.ctx), other.key.id, 0);
  expectError(await asking(other.key), "KEY_REVOKED");
  await expect(rollApiKey(byOperator(other.ctx), other.key.id, 1)).rejects.toThrow("rolled already");
  expectError(await asking(other.key), "KEY_REVOKED");
});

test("a secret key ends in a checksum, and the database has only its keyed hash", async () => {
  const { key } = await aKey();
  expect(key.secretKey).toMatch(/^sk_test_[0-9A-Za-z]{38}$/);
  const [row] = await sql()<{ secret_hash: string }[]>`select secret_hash from api_keys where public_key = ${key.publicKey}`;
  expect(row?.secret_hash).toMatch(/^[0-9a-f]{64}$/);
});

test("a key that is limited to some addresses works from these and from no other", async () => {
  const { key } = await aKey({ allowedIps: ["198.51.100.0/24", "2001:db8::1"] });
  const from = (address: string) => apiClient(app, key).get(WALLET, { headers: { "X-Forwarded-For": address } });
  expect((await from("198.51.100.7")).status).toBe(200);
  expect((await from("2001:db8::1")).status).toBe(200);
  expectError(await from("203.0.113.251"), "IP_NOT_ALLOWED");
  // The server overwrites its own header, whatever value the client sends in it.
  expectError(await apiClient(app, key).get(WALLET, { headers: { "X-Oja-Peer": "198.51.100.7" } }), "IP_NOT_ALLOWED");
  // The nearest untrusted hop is the client. The addresses that this hop reports prove nothing.
  expectError(await from("198.51.100.7, 203.0.113.251"), "IP_NOT_ALLOWED");
});

test("a key cannot be limited to a text that is no address", async () => {
  await expect(aKey({ allowedIps: ["nonsense"] })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  for (const range of ["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/ ", "10.0.0.0/8/9", ""]) {
    await expect(aKey({ allowedIps: [range] }), range).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  }
});

test("a key does only what its permissions allow", async () => {
  const { key } = await aKey({ permissions: ["checkout:read"] });
  expectError(await asking(key), "PERMISSION_DENIED");
  expectError(await apiClient(app, key).post("/api/v1/checkout/create", { amount: 100 }), "PERMISSION_DENIED");
  expect((await apiClient(app, key).get("/api/v1/checkout")).status).toBe(200);
});

test("the keys of a suspended merchant read and change nothing, until the merchant is resumed", async () => {
  const { key, merchant } = await aKey();
  const create = () => apiClient(app, key).post("/api/v1/checkout/create", { amount: 100 });
  await suspendMerchant(anOperator, merchant.id, "The bank asked for it.");
  expectError(await create(), "MERCHANT_SUSPENDED");
  expect((await asking(key)).status).toBe(200);
  await resumeMerchant(anOperator, merchant.id, "The bank is content.");
  await until(async () => (await create()).status === 201);
});
