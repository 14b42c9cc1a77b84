import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { sandboxRequestSecret } from "#lib/sandbox-link.ts";
import { keyedHash } from "#lib/secrets.ts";
import { sign } from "#lib/signature.ts";
import { claimKey, forgetClaim, keepAnswer, leaveUnknown } from "#services/idempotency/index.ts";
import { createApiKey, switchArea } from "#services/merchants/index.ts";
import { aMerchant, anOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";

withDatabase();
const app = withApp();

let shop: TestMerchant;
let api: ReturnType<typeof apiClient>;
const CREATE = "/api/v1/checkout/create";
const statusOf = (reference: string) => `/api/v1/checkout/status?reference=${reference}`;
const transferTo = (reference: string) => `/api/v1/test/checkout/${reference}/transfer`;
const expiryOf = (reference: string) => `/api/v1/test/checkout/${reference}/expire`;
const create = async (fields: Record<string, unknown> = {}) => (await api.post(CREATE, { amount: 5_000, ...fields })).body;
const keyed = (key: string) => ({ headers: { "Idempotency-Key": key } });

beforeAll(async () => {
  shop = await aMerchant();
  api = apiClient(app, shop.key);
});

const askSandbox = async (operation: string, content: Record<string, unknown>) => {
  const body = JSON.stringify(content);
  const headers = { "content-type": "application/json", "x-sandbox-signature": sign(sandboxRequestSecret(), body) };
  return fetch(`${app.url}/sandbox/bank/${operation}`, { method: "POST", headers, body });
};

describe("creating a payment link", () => {
  test("answers 201 with everything that the contract names, for 30 minutes", async () => {
    const fields = {
      amount: 1234.56,
      description: "Order 1042",
      customer_name: "Ngozi",
      customer_email: "ngozi@example.com",
      callback_url: "https://shop.example/thanks?cart=1",
      metadata: { cart: "1" },
    };
    const { status, body } = await api.post(CREATE, fields);
    expect(status).toBe(201);
    expect(body).toMatchObject({ success: true, ...fields, currency: "NGN", status: "pending", paid_at: null, transfers: [] });
    expect(body.payment_link).toBe(`${app.url}/pay/${body.reference}`);
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(30 * 60_000);
    expect(body.reference).toMatch(/^[0-9A-Z]{26}$/);
  });

  test.each([
    ["amount below the minimum", { amount: 99.99 }, "amount"],
    ["amount above the maximum", { amount: 10_000_000.01 }, "amount"],
    ["three decimals", { amount: 100.005 }, "amount"],
    ["a string as amount", { amount: "5000" }, "amount"],
    ["no amount", { amount: undefined }, "amount"],
    ["a description of 201 characters", { description: "é".repeat(201) }, "description"],
    ["a NUL in a name", { customer_name: "a\u0000b" }, "customer_name"],
    ["a lone surrogate", { description: "\ud800" }, "description"],
    ["no email", { customer_email: "nobody" }, "customer_email"],
    ["a script as callback", { callback_url: "javascript:alert(1)" }, "callback_url"],
    ["a script with a line break in its name", { callback_url: "java\nscript:alert(1)" }, "callback_url"],
    ["data as callback", { callback_url: "data:text/html,<script>alert(1)</script>" }, "callback_url"],
    ["a callback without a scheme", { callback_url: "//evil.example" }, "callback_url"],
    ["a callback that looks like another host", { callback_url: "https://shop.example@evil.example" }, "callback_url"],
    ["a callback with a password", { callback_url: "https://a:b@shop.example" }, "callback_url"],
    ["21 metadata values", { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, "v"])) }, "metadata"],
    ["metadata that is not text", { metadata: { a: 1 } }, "metadata.a"],
    ["an unknown field", { amout: 5 }, "amout"],
    ["a long number as text", { description: 1234567890123456 }, "description"],
  ])("refuses %s by name", async (_what, fields, param) => {
    const answer = await api.post(CREATE, { amount: 5_000, ...fields });
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe(param);
  });

  test("names every bad field at once", async () => {
    const { body } = await api.post(CREATE, { amount: 1, customer_email: "x", extra: true });
    expect(body.error.errors.map(({ param }: { param: string }) => param).sort()).toEqual(["amount", "customer_email", "extra"]);
  });

  test("takes 200 characters of any script and keeps them to the letter", async () => {
    const description = "👩🏾‍🌾".repeat(50);
    expect((await create({ description })).description).toBe(description);
  });

  test("refuses a number that would be rounded silently", async () => {
    const raw = '{"amount": 5000.00000000000000001}';
    expectError(await api.call("POST", CREATE, { raw }), "VALIDATION_ERROR");
  });

  test("refuses a field that JSON would hide", async () => {
    const answer = await api.call("POST", CREATE, { raw: '{"amount": 5000, "metadata": {"__proto__": "x"}}' });
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe("__proto__");
  });

  test("refuses what is not JSON, not called JSON, or too long", async () => {
    expectError(await api.call("POST", CREATE, { raw: '{"amount": 5000' }), "MALFORMED_JSON");
    expectError(await api.call("POST", CREATE, { raw: new Uint8Array([0x22, 0xff, 0x22]) }), "MALFORMED_JSON");
    expectError(
      await api.call("POST", CREATE, { raw: "amount=5000", headers: { "Content-Type": "application/x-www-form-urlencoded" } }),
      "UNSUPPORTED_MEDIA_TYPE",
    );
    expectError(await api.post(CREATE, { amount: 5_000, description: "x".repeat(70_000) }), "PAYLOAD_TOO_LARGE");
    expectError(await api.call("POST", CREATE, { raw: "[]" }), "VALIDATION_ERROR");
    expectError(await api.call("POST", CREATE, { raw: '"5000"' }), "VALIDATION_ERROR");
  });
});

describe("an Idempotency-Key", () => {
  test("makes one link of five requests at once; the others are in progress or see the same link", async () => {
    const answers = await Promise.all(times(5, () => api.post(CREATE, { amount: 700 }, keyed("five"))));
    const made = answers.filter(({ status }) => status === 201);
    for (const answer of answers) if (answer.status !== 201) expectError(answer, "REQUEST_IN_PROGRESS", "unknown");
    expect(new Set(made.map(({ body }) => body.reference)).size).toBe(1);
    const again = await api.post(CREATE, { amount: 700 }, keyed("five"));
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body.reference).toBe(made[0]?.body.reference);
  });

  test("is in progress while its first request runs, whatever comes of that", async () => {
    await askSandbox("faults", { fault: "hang_after" });
    const first = api.post(CREATE, { amount: 710 }, keyed("running"));
    await until(async () => (await sql()`select 1 from idempotency_keys where key = 'running'`).length > 0);
    const second = await api.post(CREATE, { amount: 710 }, keyed("running"));
    expectError(second, "REQUEST_IN_PROGRESS", "unknown");
    expect(second.headers.get("retry-after")).toBe("1");
    expectError(await first, "PROVIDER_ERROR", "unknown");
    expect((await api.post(CREATE, { amount: 710 }, keyed("running"))).status).toBe(201);
  });

  test("presents the link as it is now, with the first status", async () => {
    const first = await api.post(CREATE, { amount: 700, description: "a" }, keyed("now"));
    await api.post(transferTo(first.body.reference));
    const replay = await api.post(CREATE, { description: "a", amount: 700 }, keyed("now"));
    expect(replay.status).toBe(201);
    expect(replay.body).toMatchObject({ reference: first.body.reference, status: "success" });
  });

  test("is refused with another body, and belongs to one merchant and path", async () => {
    await api.post(CREATE, { amount: 700 }, keyed("mine"));
    expectError(await api.post(CREATE, { amount: 701 }, keyed("mine")), "IDEMPOTENCY_KEY_REUSED");
    const other = apiClient(app, (await aMerchant()).key);
    expect((await other.post(CREATE, { amount: 701 }, keyed("mine"))).status).toBe(201);
  });

  test("may be used again after an answer that executed nothing", async () => {
    expectError(await api.post(CREATE, { amount: 1 }, keyed("retry")), "VALIDATION_ERROR");
    expect((await api.post(CREATE, { amount: 100 }, keyed("retry"))).status).toBe(201);
  });

  test.each(["", " ", "a b", "é", "x".repeat(256)])("of the form %j is refused", async (key) => {
    const headers = { "Idempotency-Key": key };
    const answer = await fetch(`${app.url}${CREATE}`, {
      method: "POST",
      headers: { ...headers, "X-Api-Key": shop.key.publicKey, "X-Api-Secret": shop.key.secretKey, "Content-Type": "application/json" },
      body: '{"amount":100}',
    }).catch(() => undefined);
    if (answer) expect(answer.status).toBe(422);
  });

  test("whose process died is taken over and makes the link that was begun", async () => {
    const first = await api.post(CREATE, { amount: 900 }, keyed("died"));
    await sql()`update idempotency_keys set state = 'running', status = null, locked_until = now() - interval '1 s' where key = 'died'`;
    const again = await api.post(CREATE, { amount: 900 }, keyed("died"));
    expect(again.body.reference).toBe(first.body.reference);
    const [{ links } = { links: 0n }] = await sql()<{ links: bigint }[]>`select count(*) as links from payment_links where amount = 90000`;
    expect(links).toBe(1n);
  });

  test("is kept without the body", async () => {
    await api.post(CREATE, { amount: 700, description: "very private words" }, keyed("private"));
    const rows = await sql()`select * from idempotency_keys`;
    expect(JSON.stringify(rows, (_key, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain("private words");
  });
});

describe("a bank that misbehaves", () => {
  test.each(["hang_before", "error_after", "nonsense"])(
    "by %s leaves the outcome unknown, and the replay finishes the same account",
    async (fault) => {
      await askSandbox("faults", { fault });
      const first = await api.post(CREATE, { amount: 800 }, keyed(fault));
      expectError(first, "PROVIDER_ERROR", "unknown");
      const second = await api.post(CREATE, { amount: 800 }, keyed(fault));
      expect(second.status).toBe(201);
      const accounts = await sql()`select * from sandbox.bank_accounts where reference = ${second.body.reference}`;
      expect(accounts).toHaveLength(1);
    },
  );
});

test("a replay that comes late finds the link as old as its account, and expired when its time is over", async () => {
  await askSandbox("faults", { fault: "error_after" });
  expectError(await api.post(CREATE, { amount: 830 }, keyed("late-replay")), "PROVIDER_ERROR", "unknown");
  await sql()`update sandbox.bank_accounts set opened_at = opened_at - interval '10 min', closes_at = closes_at - interval '10 min' where amount = 83000`;
  const { body } = await api.post(CREATE, { amount: 830 }, keyed("late-replay"));
  expect(Date.parse(body.expires_at) - Date.now()).toBeLessThan(20 * 60_000);
  expect(body.status).toBe("pending");
  // A moment later is the usual case: the link ends with its account, to the millisecond.
  await askSandbox("faults", { fault: "error_after" });
  await api.post(CREATE, { amount: 835 }, keyed("soon-replay"));
  const soon = (await api.post(CREATE, { amount: 835 }, keyed("soon-replay"))).body;
  const [account] = await sql()<{ closes_at: string }[]>`select closes_at from sandbox.bank_accounts where amount = 83500`;
  expect(Date.parse(soon.expires_at)).toBe(Date.parse(account?.closes_at ?? ""));
  await askSandbox("faults", { fault: "error_after" });
  expectError(await api.post(CREATE, { amount: 840 }, keyed("too-late")), "PROVIDER_ERROR", "unknown");
  await sql()`update sandbox.bank_accounts set opened_at = opened_at - interval '40 min', closes_at = closes_at - interval '40 min' where amount = 84000`;
  const late = await api.post(CREATE, { amount: 840 }, keyed("too-late"));
  expect(late).toMatchObject({ status: 201, body: { status: "expired" } });
});

test("a superseded request changes nothing about the claim of the request that took over", async () => {
  const claim = { merchantId: shop.merchant.id, scope: "POST /x", key: "superseded", bodyHash: "h" };
  const first = await claimKey(claim, () => "first");
  await sql()`update idempotency_keys set locked_until = now() - interval '1 s' where key = 'superseded'`;
  const second = await claimKey(claim, () => "second");
  expect([first, second]).toMatchObject([
    { status: "run", resourceId: "first", resumed: false },
    { status: "run", resourceId: "first", resumed: true },
  ]);
  if (first.status !== "run" || second.status !== "run") return;
  await forgetClaim(first.lease);
  await leaveUnknown(first.lease);
  await keepAnswer(second.lease, 201);
  expect(await claimKey(claim, () => "third")).toEqual({ status: "replay", resourceId: "first", httpStatus: 201 });
});

test("a key whose outcome was unknown keeps its resource through a later refusal, and may be used again after a first one", async () => {
  await askSandbox("faults", { fault: "error_after" });
  expectError(await api.post(CREATE, { amount: 810 }, keyed("unknown-first")), "PROVIDER_ERROR", "unknown");
  await askSandbox("faults", { fault: "refuse" });
  expectError(await api.post(CREATE, { amount: 810 }, keyed("unknown-first")), "PROVIDER_ERROR", "unknown");
  const { body } = await api.post(CREATE, { amount: 810 }, keyed("unknown-first"));
  const accounts = await sql()<{ reference: string }[]>`select reference from sandbox.bank_accounts where amount = 81000`;
  expect(accounts).toEqual([{ reference: body.reference }]);
  await askSandbox("faults", { fault: "refuse" });
  expectError(await api.post(CREATE, { amount: 820 }, keyed("refused-first")), "PROVIDER_ERROR");
  expect((await api.post(CREATE, { amount: 820 }, keyed("refused-first"))).status).toBe(201);
});

describe("reading a link", () => {
  test("of another merchant, of the other mode or of nobody is the same not found", async () => {
    const { reference } = await create();
    const other = apiClient(app, (await aMerchant()).key);
    const foreign = await other.get(statusOf(reference));
    const unknown = await other.get(statusOf("0".repeat(26)));
    expectError(foreign, "RESOURCE_NOT_FOUND");
    expect({ ...foreign.body.error, request_id: "" }).toEqual({ ...unknown.body.error, request_id: "" });
    expectError(await api.get(statusOf("%00")), "VALIDATION_ERROR");
    expectError(await api.get("/api/v1/checkout/status"), "VALIDATION_ERROR");
  });

  test("expires it when its time is over, also in a list filtered by status", async () => {
    const { reference } = await create();
    await sql()`update payment_links set created_at = now() - interval '40 min', expires_at = now() - interval '10 min' where reference = ${reference}`;
    const { body } = await api.get("/api/v1/checkout?status=expired");
    expect(body.data.map((link: { reference: string }) => link.reference)).toContain(reference);
  });
});

describe("the list of links", () => {
  test("pages through all of them, newest first, without missing or repeating any while new ones are added", async () => {
    const lister = await aMerchant();
    const own = apiClient(app, lister.key);
    const made: string[] = [];
    for (let i = 0; i < 25; i++) made.push((await own.post(CREATE, { amount: 100 + i })).body.reference);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await own.get(`/api/v1/checkout?limit=7${cursor ? `&cursor=${cursor}` : ""}`);
      seen.push(...body.data.map((link: { reference: string }) => link.reference));
      cursor = body.pagination.next_cursor;
      expect(body.pagination.has_more).toBe(cursor !== null);
      await own.post(CREATE, { amount: 999 });
    } while (cursor);
    expect(seen).toEqual([...made].reverse());
  });

  test("filters by time, and refuses broken and foreign cursors, limits and filters", async () => {
    const lister = await aMerchant();
    const own = apiClient(app, lister.key);
    for (let i = 0; i < 3; i++) await own.post(CREATE, { amount: 100 });
    const { body } = await own.get("/api/v1/checkout?limit=1");
    const created = body.data[0].created_at;
    expect((await own.get(`/api/v1/checkout?created_after=${created}`)).body.data).toHaveLength(1);
    expect((await own.get(`/api/v1/checkout?created_before=${created}`)).body.data).toHaveLength(2);
    expectError(await api.get(`/api/v1/checkout?cursor=${body.pagination.next_cursor}`), "VALIDATION_ERROR");
    for (const query of [
      "cursor=broken",
      "limit=0",
      "limit=101",
      "limit=x",
      "status=paid",
      "created_after=yesterday",
      "created_after=0000-01-01T00:00:00Z",
      "created_before=9999-12-31T23:59:59-23:59",
    ]) {
      expectError(await own.get(`/api/v1/checkout?${query}`), "VALIDATION_ERROR");
    }
    expect((await own.get("/api/v1/checkout?whatever=1")).status).toBe(200);
  });
});

describe("test mode", () => {
  test("plays every transfer of the contract, and the wallet moves for the exact one alone", async () => {
    const own = await aMerchant();
    const client = apiClient(app, own.key);
    const { reference } = (await client.post(CREATE, { amount: 5_000 })).body;
    await client.post(transferTo(reference), { amount: 4_000 });
    await client.post(transferTo(reference), { amount: 6_000, sender_name: "Bola" });
    expect((await client.get("/api/v1/wallet")).body.data.balance).toBe(0);
    await client.post(transferTo(reference), { session_id: "s-1" });
    await client.post(transferTo(reference), { session_id: "s-1" });
    const { body } = await client.post(transferTo(reference));
    expect(body.transfers.map(({ classification }: { classification: string }) => classification)).toEqual([
      "underpaid",
      "overpaid",
      "exact",
      "duplicate",
    ]);
    expect(body.transfers[1]).toMatchObject({ sender_name: "Bola", disposition: "returned", amount: 6_000 });
    expect((await client.get("/api/v1/wallet")).body.data).toEqual({ currency: "NGN", balance: 5_000, available: 5_000, held: 0, owed: 0 });
    const history = (await client.get("/api/v1/wallet/transactions")).body.data;
    expect(history).toMatchObject([{ type: "payment_link", direction: "credit", amount: 5_000, balance_after: 5_000, reference }]);
    await expectInvariantsToHold();
  });

  test("expires a link now; money made before that still pays it, money made after is late", async () => {
    const [inTime, late] = [await create(), await create()];
    const madeAt = inTime.created_at;
    for (const { reference } of [inTime, late]) expect((await api.post(expiryOf(reference))).body.status).toBe("expired");
    expect((await api.post(transferTo(inTime.reference), { made_at: madeAt })).body.status).toBe("success");
    const after = (await api.post(transferTo(late.reference))).body;
    expect(after).toMatchObject({ status: "expired", transfers: [{ classification: "late", disposition: "returned" }] });
    const paid = await api.post(expiryOf(inTime.reference));
    expect(paid.body.status).toBe("success");
  });

  test("refuses a transfer from the future or from before the link", async () => {
    const { reference } = await create();
    for (const made_at of [new Date(Date.now() + 60_000).toISOString(), "2020-01-01T00:00:00Z", "noon"]) {
      expectError(await api.post(transferTo(reference), { made_at }), "VALIDATION_ERROR");
    }
    expectError(await api.post(transferTo("0".repeat(26))), "RESOURCE_NOT_FOUND");
    const other = apiClient(app, (await aMerchant()).key);
    expectError(await other.post(transferTo(reference)), "RESOURCE_NOT_FOUND");
    expectError(await other.post(expiryOf(reference)), "RESOURCE_NOT_FOUND");
  });

  test("refuses a session that is another transfer already, and the link can still be paid", async () => {
    const [one, two] = [await create(), await create()];
    await api.post(transferTo(one.reference), { session_id: "twice" });
    const answer = await api.post(transferTo(two.reference), { session_id: "twice" });
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe("session_id");
    expectError(await api.post(transferTo(one.reference), { session_id: "twice", amount: 1 }), "VALIDATION_ERROR");
    expect((await api.post(transferTo(two.reference))).body.status).toBe("success");
  });

  test("pays once for one Idempotency-Key sent five times at once", async () => {
    const own = await aMerchant();
    const client = apiClient(app, own.key);
    const { reference } = (await client.post(CREATE, { amount: 5_000 })).body;
    await Promise.all(times(5, () => client.post(transferTo(reference), {}, keyed("pay"))));
    expect((await client.get(statusOf(reference))).body.transfers).toHaveLength(1);
    await expectInvariantsToHold();
  });

  test("hears of one transfer ten times, late and out of order, and pays once", async () => {
    const own = await aMerchant();
    const client = apiClient(app, own.key);
    const { reference } = (await client.post(CREATE, { amount: 5_000 })).body;
    const [account] = await sql()<{ account_number: string }[]>`select account_number from payment_links where reference = ${reference}`;
    const transfer = (session: string, more: Record<string, unknown>) =>
      askSandbox("transfers", { session, account_no: account?.account_number, kobo: "500000", from: "x", made_at: null, ...more });
    // Told long after the second is read below, however slow the machine is.
    await transfer("first", { copies: 10, delay_ms: 5_000 });
    await transfer("second", {});
    const before = (await client.get(statusOf(reference))).body;
    expect(before.transfers).toMatchObject([{ session_id: "second", classification: "duplicate", disposition: "returned" }]);
    const paid = await until(async () => {
      const { body } = await client.get(statusOf(reference));
      return body.status === "success" ? body : undefined;
    });
    expect(paid.transfers).toHaveLength(2);
    await until(
      async () => (await sql()`select 1 from sandbox.notices where acknowledged_at is null and notice_id = 'ntc_first'`).length === 0,
    );
    expect((await client.get("/api/v1/wallet")).body.data.balance).toBe(5_000);
    await expectInvariantsToHold();
  });
});

describe("live mode", () => {
  test("without a bank says whom to ask, and its test endpoints do not exist", async () => {
    await switchArea(anOperator, shop.liveMerchantId, "checkout", true);
    const key = await createApiKey(shop.liveCtx, { name: "live" });
    const live = apiClient(app, key);
    const answer = await live.post(CREATE, { amount: 5_000 });
    expectError(answer, "PROVIDER_UNAVAILABLE");
    expect(answer.body.error.message).toMatch(/^Live mode has no .* Ask the operator of this service\.$/);
    expectError(await live.post(CREATE, { amount: 5_000, callback_url: "http://shop.example" }), "VALIDATION_ERROR");
    const { reference } = await create();
    expectError(await live.get(statusOf(reference)), "RESOURCE_NOT_FOUND");
    expectError(await live.post(transferTo(reference), { nonsense: true }), "RESOURCE_NOT_FOUND");
    expectError(await live.post(expiryOf(reference)), "RESOURCE_NOT_FOUND");
  });

  test("cannot be bound to the sandbox: a CHECK says so", async () => {
    const bind = sql()`insert into merchant_providers (merchant_id, mode, kind, provider) values (${shop.liveMerchantId}, 'live', 'bank', 'sandbox')`;
    await expect(bind).rejects.toThrow(/merchant_providers_no_sandbox_in_live/);
    const lie = sql()`insert into merchant_providers (merchant_id, mode, kind, provider) values (${shop.liveMerchantId}, 'test', 'bank', 'sandbox')`;
    await expect(lie).rejects.toThrow(/merchant_providers_mode_fkey/);
  });
});

test("an area that is not enabled answers SERVICE_NOT_ENABLED on each of its endpoints, whatever the body", async () => {
  const own = await aMerchant();
  const client = apiClient(app, own.key);
  await switchArea(anOperator, own.merchant.id, "checkout", false);
  for (const path of [CREATE, transferTo("x"), expiryOf("x")])
    expectError(await client.call("POST", path, { raw: "{" }), "SERVICE_NOT_ENABLED");
  for (const path of ["/api/v1/checkout", "/api/v1/checkout/status"]) expectError(await client.get(path), "SERVICE_NOT_ENABLED");
  expect((await client.get("/api/v1/wallet")).status).toBe(200);
});

test("nothing that is secret reaches the log, the request log or an error", async () => {
  await api.post(CREATE, { amount: 1, description: "x" });
  await until(async () => (await sql()`select 1 from request_log where merchant_id = ${shop.merchant.id}`).length > 0);
  const rows = JSON.stringify(await sql()`select * from request_log`);
  for (const text of [app.log(), rows]) {
    expect(text).not.toContain(shop.key.secretKey);
    expect(text).not.toContain(keyedHash("api-key-hash", shop.key.secretKey));
  }
  const keys = JSON.stringify(await sql()`select * from api_keys`);
  expect(keys).not.toContain(shop.key.secretKey);
});
