import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { type ApiAnswer, apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { aKey, fromNewAddress, readWallet, TRUST_THIS_MACHINE, WALLET } from "./api-key.fixture.ts";

withDatabase();
const app = withApp(TRUST_THIS_MACHINE);
const asking = readWallet(app);

test("each merchant has its own limit: a burst passes, and a refusal says how long to wait", async () => {
  const { key, merchant } = await aKey();
  await sql()`update merchants set requests_per_second = 1, request_burst = 5 where id = ${merchant.id}`;
  const answers = await Promise.all(times(20, () => asking(key)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(2);
  for (const answer of refused) {
    expectError(answer, "RATE_LIMITED");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  }
  expect(answers[0]?.headers.get("ratelimit-policy")).toBe('"merchant";q=5;w=5');
  expect(answers[0]?.headers.get("ratelimit")).toMatch(/^"merchant";r=\d+;t=\d+$/);
  expect((await asking((await aKey()).key)).status).toBe(200);
});

/** Sends sixty wrong requests and ten right ones at once. Thirty wrong ones pass, and a few more if the bucket refills meanwhile. */
async function flood(wrong: (i: number) => Promise<ApiAnswer>, right: () => Promise<ApiAnswer>) {
  const [wrongs, rights] = await Promise.all([Promise.all(times(60, wrong)), Promise.all(times(10, right))]);
  const refused = wrongs.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(15);
  for (const answer of refused) {
    expectError(answer, "RATE_LIMITED");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  }
  expect(wrongs.filter(({ status }) => status !== 429 && status !== 401)).toEqual([]);
  expect(rights.map(({ status }) => status)).toEqual(Array(10).fill(200));
}

test("wrong credentials that come too often from one address get 429, and a correct key from there never does", async () => {
  const [one, other] = [await aKey(), await aKey()];
  const from = { headers: { "X-Forwarded-For": "192.0.2.66" } };
  const wrong = [undefined, { publicKey: "pk_test_x", secretKey: "sk_test_x" }, { ...one.key, secretKey: other.key.secretKey }];
  await flood(
    (i) => apiClient(app, wrong[i % 3]).get(WALLET, from),
    () => apiClient(app, one.key).get(WALLET, from),
  );
  expectError(await apiClient(app, undefined).get(WALLET, fromNewAddress()), "MISSING_CREDENTIALS");
});

test("guesses at one key from many addresses get 429, and its right secret never does", async () => {
  const [one, other] = [await aKey(), await aKey()];
  await flood(
    () => asking({ ...one.key, secretKey: other.key.secretKey }),
    () => asking(one.key),
  );
  expectError(await asking({ ...other.key, secretKey: one.key.secretKey }), "INVALID_CREDENTIALS");
});

test("a correct key from an address that it does not allow is not counted as a failure", async () => {
  const { key } = await aKey({ allowedIps: ["198.51.100.0/24"] });
  const from = { headers: { "X-Forwarded-For": "192.0.2.67" } };
  const answers = await Promise.all(times(60, () => apiClient(app, key).get(WALLET, from)));
  for (const answer of answers) expectError(answer, "IP_NOT_ALLOWED");
  expectError(await apiClient(app, undefined).get(WALLET, from), "MISSING_CREDENTIALS");
});
