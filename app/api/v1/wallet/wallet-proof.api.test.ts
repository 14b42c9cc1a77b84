import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemContext } from "#services/context.ts";
import { SETTLEMENT_BANK, WALLET } from "#services/ledger/index.ts";
import { kobo, post } from "#services/ledger/ledger.fixture.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { sealWallets } from "#services/seals/index.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import type { Api } from "../api.fixture.ts";

withDatabase();
const app = withApp();

const PROOF = "/api/v1/wallet/proof";

let shop: TestMerchant;
let api: Api;
let credits = 0;
const credit = (count: number) =>
  post(
    shop.merchant.id,
    ...Array.from({ length: count }, () => ({
      ...({ kind: "post", key: `k${credits++}`, debit: SETTLEMENT_BANK, credit: WALLET, amount: kobo(5_000_05) } as const),
      meta: { type: "payment_link", reference: `₦|${credits}` },
    })),
  );

beforeAll(async () => {
  shop = await aMerchant();
  api = apiClient(app, shop.key);
  await credit(150);
  await sealWallets(systemContext("test"));
  await credit(3);
  await sealWallets(systemContext("test"));
  await credit(1);
});

test("the newest proof, and the one at an entry, say which rows are covered", async () => {
  const newest = await api.get(PROOF);
  expect(newest.status).toBe(200);
  expect(newest.body.data).toEqual({
    merchant_id: shop.merchant.id,
    ...{ seq: 153, count: 153 },
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    sealed_at: expect.stringMatching(/Z$/),
    key_id: expect.stringMatching(/^[0-9a-f]{16}$/),
    public_key: expect.any(String),
    signature: expect.any(String),
  });
  expect((await api.get(`${PROOF}?at=152`)).body.data).toMatchObject({ seq: 150, count: 150 });
  expect((await api.get(`${PROOF}?at=153`)).body).toEqual(newest.body);
  expect(await Promise.all(times(5, async () => (await api.get(PROOF)).body))).toEqual(Array(5).fill(newest.body));
});

test.each(["at=0", "at=-1", "at=1.5", "at=x", "at=9007199254740993"])("a proof at %s is refused", async (query) => {
  expectError(await api.get(`${PROOF}?${query}`), "VALIDATION_ERROR");
});

test("no proof is found at an entry before the first seal, or by another merchant", async () => {
  expectError(await api.get(`${PROOF}?at=149`), "RESOURCE_NOT_FOUND");
  expectError(await apiClient(app, (await aMerchant()).key).get(PROOF), "RESOURCE_NOT_FOUND");
});

const folder = mkdtempSync(join(tmpdir(), "oja-proof-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the sample of docs/wallet-proof.md. Returns its exit code and what it prints. */
async function runSample(key: TestMerchant["key"]) {
  const page = readFileSync("docs/wallet-proof.md", "utf8");
  const [, sample = ""] = /```js\n([\s\S]+?)```/.exec(page) ?? [];
  writeFileSync(join(folder, "sample.mjs"), sample);
  const env = { ...process.env, OJA_URL: app.url, OJA_API_KEY: key.publicKey, OJA_API_SECRET: key.secretKey };
  const child = spawn(process.execPath, [join(folder, "sample.mjs")], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return { code, printed: printed.trim() };
}

test("the sample of the guide computes the proof from the rows that it reads, over several pages", async () => {
  expect(await runSample(shop.key)).toEqual({ code: 0, printed: "The history is as it was sealed: 153 rows." });
});
