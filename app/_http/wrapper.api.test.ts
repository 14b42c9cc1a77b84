import { globSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { endpoints } from "#app/api/v1/endpoints.ts";
import { sql } from "#db/client.ts";
import { createApiKey, revokeApiKey, rollApiKey } from "#services/merchants/index.ts";
import { aMerchant } from "#services/merchants/merchant.fixture.ts";
import { type ApiAnswer, apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";

withDatabase();
const app = withApp({ TRUSTED_PROXIES: "127.0.0.1, ::1" });

const WALLET = "/api/v1/wallet";
let addresses = 0;
/** A client address that no other test has used. */
const fromSomewhere = () => ({ headers: { "X-Forwarded-For": `203.0.113.${++addresses % 250}` } });
const aKey = async (changes: Partial<Parameters<typeof createApiKey>[1]> = {}) => {
  const { merchant, ctx } = await aMerchant();
  return {
    ctx,
    merchant,
    key: await createApiKey(ctx, { name: "k", ...changes }),
  };
};
const asking = (keys: Parameters<typeof apiClient>[1]) => apiClient(app, keys).get(WALLET, fromSomewhere());

describe("credentials", () => {
  test("that are missing, or half missing, are asked for", async () => {
    const { key } = await aKey();
    expectError(await asking(undefined), "MISSING_CREDENTIALS");
    expectError(await asking({ ...key, secretKey: "" }), "MISSING_CREDENTIALS");
    expectError(await asking({ ...key, publicKey: "" }), "MISSING_CREDENTIALS");
  });

  test("that are not one pair are refused alike, whatever is wrong with them", async () => {
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

  test("that were revoked stop working, on a process that had just believed them", async () => {
    const { key, ctx } = await aKey();
    expect((await asking(key)).status).toBe(200);
    await revokeApiKey(ctx, key.publicKey);
    const refused = await until(async () => {
      const answer = await asking(key);
      return answer.status === 401 ? answer : undefined;
    }, 10_000);
    expectError(refused, "KEY_REVOKED");
  });

  test("that were rolled work on for the overlap beside the new ones, and then no more", async () => {
    const { key, ctx } = await aKey();
    const next = await rollApiKey(ctx, key.publicKey, 1);
    expect((await asking(key)).status).toBe(200);
    expect((await asking(next?.pair)).status).toBe(200);
    const other = await aKey();
    await rollApiKey(other.ctx, other.key.publicKey, 0);
    expectError(await asking(other.key), "KEY_REVOKED");
    expect(await rollApiKey(other.ctx, other.key.publicKey, 1)).toBeUndefined();
    expectError(await asking(other.key), "KEY_REVOKED");
  });

  test("end in a checksum and are stored as a keyed hash only", async () => {
    const { key } = await aKey();
    expect(key.secretKey).toMatch(/^sk_test_[0-9A-Za-z]{38}$/);
    const [row] = await sql()<{ secret_hash: string }[]>`select secret_hash from api_keys where public_key = ${key.publicKey}`;
    expect(row?.secret_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test("work from the addresses that they are limited to, and from no other", async () => {
    const { key } = await aKey({ allowedIps: ["198.51.100.0/24", "2001:db8::1"] });
    const from = (address: string) => apiClient(app, key).get(WALLET, { headers: { "X-Forwarded-For": address } });
    expect((await from("198.51.100.7")).status).toBe(200);
    expect((await from("2001:db8::1")).status).toBe(200);
    expectError(await from("203.0.113.251"), "IP_NOT_ALLOWED");
    // What a client writes under our own header's name is overwritten.
    expectError(await apiClient(app, key).get(WALLET, { headers: { "X-Oja-Peer": "198.51.100.7" } }), "IP_NOT_ALLOWED");
    // The nearest hop that is not trusted is the client; what it claims about others is only a claim.
    expectError(await from("198.51.100.7, 203.0.113.251"), "IP_NOT_ALLOWED");
  });

  test("cannot be limited to what is no address", async () => {
    await expect(aKey({ allowedIps: ["nonsense"] })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    for (const range of ["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/ ", "10.0.0.0/8/9", ""]) {
      await expect(aKey({ allowedIps: [range] }), range).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    }
  });

  test("do only what they are permitted to", async () => {
    const { key } = await aKey({ permissions: ["checkout:read"] });
    expectError(await asking(key), "PERMISSION_DENIED");
    expectError(await apiClient(app, key).post("/api/v1/checkout/create", { amount: 100 }), "PERMISSION_DENIED");
    expect((await apiClient(app, key).get("/api/v1/checkout")).status).toBe(200);
  });

  test("of a suspended merchant are refused", async () => {
    const { key, merchant } = await aKey();
    await sql()`update merchants set status = 'suspended' where id = ${merchant.id}`;
    expectError(await asking(key), "MERCHANT_SUSPENDED");
  });
});

describe("limits", () => {
  test("let a burst through, then say how long to wait, per merchant", async () => {
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

  /** Sixty wrong requests and ten right ones, at once. More than thirty of the wrong ones pass only where a bucket was refilled meanwhile. */
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

  test("answer 429 to credentials that fail too often from one address, and never to a correct key from there", async () => {
    const [one, other] = [await aKey(), await aKey()];
    const from = { headers: { "X-Forwarded-For": "192.0.2.66" } };
    const wrong = [undefined, { publicKey: "pk_test_x", secretKey: "sk_test_x" }, { ...one.key, secretKey: other.key.secretKey }];
    await flood(
      (i) => apiClient(app, wrong[i % 3]).get(WALLET, from),
      () => apiClient(app, one.key).get(WALLET, from),
    );
    expectError(await apiClient(app, undefined).get(WALLET, fromSomewhere()), "MISSING_CREDENTIALS");
  });

  test("answer 429 to guesses at one key from many addresses, and never to its right secret", async () => {
    const [one, other] = [await aKey(), await aKey()];
    await flood(
      () => asking({ ...one.key, secretKey: other.key.secretKey }),
      () => asking(one.key),
    );
    expectError(await asking({ ...other.key, secretKey: one.key.secretKey }), "INVALID_CREDENTIALS");
  });

  test("do not count a correct key that is limited to other addresses", async () => {
    const { key } = await aKey({ allowedIps: ["198.51.100.0/24"] });
    const from = { headers: { "X-Forwarded-For": "192.0.2.67" } };
    const answers = await Promise.all(times(60, () => apiClient(app, key).get(WALLET, from)));
    for (const answer of answers) expectError(answer, "IP_NOT_ALLOWED");
    expectError(await apiClient(app, undefined).get(WALLET, from), "MISSING_CREDENTIALS");
  });
});

test("the log of a refused call names its address and public key, and no secret", async () => {
  const { key } = await aKey();
  const secretKey = `${key.secretKey.slice(0, -1)}!`;
  const refused = await apiClient(app, { ...key, secretKey }).get(WALLET, { headers: { "X-Forwarded-For": "192.0.2.68" } });
  const swapped = await apiClient(app, { publicKey: key.secretKey, secretKey: key.publicKey }).get(WALLET, fromSomewhere());
  const lineOf = (answer: typeof refused) => lines().find(({ requestId }) => requestId === answer.headers.get("request-id"));
  const lines = () =>
    app
      .log()
      .split("\n")
      .flatMap((line) => {
        try {
          return [JSON.parse(line)];
        } catch {
          // The end of the line has not come yet, or it is a warning of Node.
          return [];
        }
      });
  await until(async () => lineOf(refused) && lineOf(swapped));
  expect(lineOf(refused)).toMatchObject({ address: "192.0.2.68", publicKey: key.publicKey, code: "INVALID_CREDENTIALS" });
  expect(lineOf(swapped)).not.toHaveProperty("publicKey");
  for (const secret of [key.secretKey, secretKey]) expect(app.log()).not.toContain(secret);
});

test("every endpoint refuses the methods that it does not have, in the one shape", async () => {
  for (const [path, there] of Map.groupBy(endpoints, ({ path }) => path)) {
    const target = path.replaceAll(/\{\w+\}/g, "x");
    const methods = there.map(({ method }) => method.toUpperCase());
    for (const other of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter((each) => !methods.includes(each))) {
      const answer = await apiClient(app, undefined).call(other, target);
      expectError(answer, "METHOD_NOT_ALLOWED");
      expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(methods.toSorted());
    }
  }
});

test("an unknown path is not found, in the one shape", async () => {
  for (const path of [
    "/api/v1/nothing",
    "/api/v1/checkout/create/more",
    "/api/v1",
    "/api/v2/x",
    "/api/v1/%zz",
    "/api/v1/test/checkout/%E0%A4%A/transfer",
  ])
    expectError(await apiClient(app, undefined).get(path), "RESOURCE_NOT_FOUND");
});

test("a failure of ours is a 500 with outcome unknown that tells nothing of the inside", async () => {
  const { key } = await aKey();
  await sql()`alter table ledger_accounts rename to ledger_accounts_gone`;
  try {
    expectError(await asking(key), "INTERNAL_ERROR", "unknown");
  } finally {
    await sql()`alter table ledger_accounts_gone rename to ledger_accounts`;
  }
});

test("every call is noted for the merchant, and its key's last use with it", async () => {
  const { key, merchant } = await aKey();
  const { headers } = await asking(key);
  const [row] = await until(async () => {
    const rows = await sql()`select * from request_log where merchant_id = ${merchant.id}`;
    return rows.length > 0 && rows;
  });
  expect(row).toMatchObject({
    id: headers.get("request-id"),
    method: "GET",
    path: WALLET,
    status: 200,
    api_key_id: key.id,
    client_address: expect.stringMatching(/^203\./),
  });
  await until(async () => (await sql()`select 1 from api_keys where id = ${key.id} and last_used_at is not null`).length > 0);
});

describe("the OpenAPI document", () => {
  const fetchDocument = async () => (await fetch(`${app.url}/api/v1/openapi.json`)).json();

  test("needs no credentials and describes every route of the folder, and no other", async () => {
    const routes = globSync("app/api/v1/**/route.ts")
      .map(
        (file) =>
          `/${file
            .replace(/^app\//, "")
            .replace(/\/route\.ts$/, "")
            .replaceAll(/\[(\w+)\]/g, "{$1}")}`,
      )
      .filter((path) => !path.includes("[...") && !path.endsWith("openapi.json"));
    const document = await fetchDocument();
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.paths).sort()).toEqual(routes.sort());
  });

  test("names the bounds of a body and the errors of an operation", async () => {
    const document = await fetchDocument();
    expect(document.components.schemas.CreatePaymentLink.properties.amount).toMatchObject({ minimum: 100, maximum: 10_000_000 });
    const { responses } = document.paths["/api/v1/checkout/create"].post;
    expect(Object.keys(responses).sort()).toEqual(["201", "400", "401", "403", "409", "413", "415", "422", "429", "500", "502", "503"]);
  });

  test("declares how each POST replays", () => {
    for (const { method, route } of endpoints) if (method === "post") expect(route.declaration.replay).toBeDefined();
  });
});

test("a body is read no further than its limit, whoever sends it", async () => {
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
    });
  const { key } = await aKey();
  const credentials = { "X-Api-Key": key.publicKey, "X-Api-Secret": key.secretKey, "Content-Type": "application/json" };
  for (const path of ["/api/providers/sandbox/notices", "/sandbox/bank/accounts", "/api/v1/checkout/create"]) {
    const options = { method: "POST", body: endless(), duplex: "half", headers: credentials };
    expect((await fetch(`${app.url}${path}`, options as RequestInit)).status).toBe(413);
  }
});

test("a notice is the bank's word only with its signature, fresh and over these very bytes", async () => {
  const notices = `${app.url}/api/providers/sandbox/notices`;
  const send = (body: string, signature: string) => fetch(notices, { method: "POST", body, headers: { "x-sandbox-signature": signature } });
  const { sign } = await import("#lib/signature.ts");
  const { sandboxNoticeSecret, sandboxRequestSecret } = await import("#lib/sandbox-link.ts");
  const body = JSON.stringify({
    id: "n1",
    session: "s1",
    account_no: "0000000000",
    kobo: "100",
    from: null,
    made_at: new Date().toISOString(),
    sent_back: null,
  });
  const good = sign(sandboxNoticeSecret(), body);
  expect((await send(body, "")).status).toBe(401);
  expect((await send(body, sign("guess", body))).status).toBe(401);
  expect((await send(body, sign(sandboxRequestSecret(), body))).status).toBe(401);
  expect((await send(`${body} `, good)).status).toBe(401);
  expect((await send(body, sign(sandboxNoticeSecret(), body, Date.now() - 6 * 60_000))).status).toBe(401);
  expect((await send("{}", sign(sandboxNoticeSecret(), "{}"))).status).toBe(401);
  expect((await fetch(`${app.url}/api/providers/nobody/notices`, { method: "POST", body })).status).toBe(404);
  expect(await sql()`select * from provider_notices`).toHaveLength(0);
  expect((await send(body, good)).status).toBe(200);
  expect((await send(body, good)).status).toBe(200);
  expect(await sql()`select * from bank_transfers where session_id = 's1'`).toHaveLength(1);
});
