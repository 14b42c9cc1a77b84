import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { MINUTE_MS } from "#lib/time.ts";
import { claimKey, recordAnswer, recordUnknown, releaseClaim } from "#services/idempotency/index.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { type Api, keyed } from "../api.fixture.ts";
import { askSandbox, CREATE, transferTo } from "./checkout-api.fixture.ts";

withDatabase();
const app = withApp();

let shop: TestMerchant;
let api: Api;
beforeAll(async () => {
  shop = await aMerchant();
  api = apiClient(app, shop.key);
});

/** Kobo as a parameter of a query. */
const kobo = (major: number) => String(naira(major).minor);

/** Moves the opening and closing of the accounts for this amount of Naira into the past. */
const ageAccounts = (amount: number, minutes: number) => sql()`
  update sandbox.bank_accounts set opened_at = opened_at - ${minutes} * interval '1 min', closes_at = closes_at - ${minutes} * interval '1 min'
  where amount = ${kobo(amount)}::text::bigint`;

describe("an Idempotency-Key", () => {
  test("makes one link from five requests at once: the others are in progress or get the same link", async () => {
    const answers = await Promise.all(times(5, () => api.post(CREATE, { amount: 700 }, keyed("five"))));
    const made = answers.filter(({ status }) => status === 201);
    for (const answer of answers) if (answer.status !== 201) expectError(answer, "REQUEST_IN_PROGRESS", "unknown");
    expect(new Set(made.map(({ body }) => body.reference)).size).toBe(1);
    const again = await api.post(CREATE, { amount: 700 }, keyed("five"));
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body.reference).toBe(made[0]?.body.reference);
  });

  test("is in progress while its first request runs, also when that request fails in the end", async () => {
    await askSandbox(app, "faults", { fault: "hang_after" });
    const first = api.post(CREATE, { amount: 710 }, keyed("running"));
    await until(async () => (await sql()`select 1 from idempotency_keys where key = 'running'`).length > 0);
    const second = await api.post(CREATE, { amount: 710 }, keyed("running"));
    expectError(second, "REQUEST_IN_PROGRESS", "unknown");
    expect(second.headers.get("retry-after")).toBe("1");
    expectError(await first, "PROVIDER_ERROR", "unknown");
    expect((await api.post(CREATE, { amount: 710 }, keyed("running"))).status).toBe(201);
  });

  test("replays the link as it is now, with the first HTTP status", async () => {
    const first = await api.post(CREATE, { amount: 700, description: "a" }, keyed("now"));
    await api.post(transferTo(first.body.reference));
    const replay = await api.post(CREATE, { description: "a", amount: 700 }, keyed("now"));
    expect(replay.status).toBe(201);
    expect(replay.body).toMatchObject({ reference: first.body.reference, status: "success" });
  });

  test("is refused with another body, and belongs to one merchant", async () => {
    await api.post(CREATE, { amount: 700 }, keyed("mine"));
    expectError(await api.post(CREATE, { amount: 701 }, keyed("mine")), "IDEMPOTENCY_KEY_REUSED");
    const other = apiClient(app, (await aMerchant()).key);
    expect((await other.post(CREATE, { amount: 701 }, keyed("mine"))).status).toBe(201);
  });

  test("can be used again after a request that executed nothing", async () => {
    expectError(await api.post(CREATE, { amount: 1 }, keyed("retry")), "VALIDATION_ERROR");
    expect((await api.post(CREATE, { amount: 100 }, keyed("retry"))).status).toBe(201);
  });

  test.each(["", " ", "a b", "é", "x".repeat(256)])("of the form %j is refused", async (key) => {
    const headers = { "Idempotency-Key": key };
    // `fetch` may refuse such a key itself. Then no request is sent.
    const answer = await fetch(`${app.url}${CREATE}`, {
      method: "POST",
      headers: { ...headers, "X-Api-Key": shop.key.publicKey, "X-Api-Secret": shop.key.secretKey, "Content-Type": "application/json" },
      body: '{"amount":100}',
    }).catch(() => undefined);
    if (answer) expect(answer.status).toBe(422);
  });

  test("a request with the key of a process that died takes the key over and finishes the same link", async () => {
    const first = await api.post(CREATE, { amount: 900 }, keyed("died"));
    await sql()`update idempotency_keys set state = 'running', status = null, locked_until = now() - interval '1 s' where key = 'died'`;
    const again = await api.post(CREATE, { amount: 900 }, keyed("died"));
    expect(again.body.reference).toBe(first.body.reference);
    const [{ links } = { links: 0n }] = await sql()<{ links: bigint }[]>`
      select count(*) as links from payment_links where amount = ${kobo(900)}::text::bigint`;
    expect(links).toBe(1n);
  });

  test("is stored without the body", async () => {
    await api.post(CREATE, { amount: 700, description: "very private words" }, keyed("private"));
    const rows = await sql()`select * from idempotency_keys`;
    expect(JSON.stringify(rows, (_key, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain("private words");
  });
});

test.each(["hang_before", "error_after", "nonsense"])(
  "a bank that fails with %s leaves the outcome unknown, and the replay opens no second account",
  async (fault) => {
    await askSandbox(app, "faults", { fault });
    const first = await api.post(CREATE, { amount: 800 }, keyed(fault));
    expectError(first, "PROVIDER_ERROR", "unknown");
    const second = await api.post(CREATE, { amount: 800 }, keyed(fault));
    expect(second.status).toBe(201);
    const accounts = await sql()`select * from sandbox.bank_accounts where reference = ${second.body.reference}`;
    expect(accounts).toHaveLength(1);
  },
);

test("a link that a late replay makes ends when its bank account closes, and is expired if the account is closed already", async () => {
  await askSandbox(app, "faults", { fault: "error_after" });
  expectError(await api.post(CREATE, { amount: 830 }, keyed("late-replay")), "PROVIDER_ERROR", "unknown");
  await ageAccounts(830, 10);
  const { body } = await api.post(CREATE, { amount: 830 }, keyed("late-replay"));
  expect(Date.parse(body.expires_at) - Date.now()).toBeLessThan((30 - 10) * MINUTE_MS);
  expect(body.status).toBe("pending");
  // Usually the replay comes a moment later. The link then ends with its account too, to the millisecond.
  await askSandbox(app, "faults", { fault: "error_after" });
  await api.post(CREATE, { amount: 835 }, keyed("soon-replay"));
  const soon = (await api.post(CREATE, { amount: 835 }, keyed("soon-replay"))).body;
  const [account] = await sql()<{ closes_at: string }[]>`
    select closes_at from sandbox.bank_accounts where amount = ${kobo(835)}::text::bigint`;
  expect(Date.parse(soon.expires_at)).toBe(Date.parse(account?.closes_at ?? ""));
  await askSandbox(app, "faults", { fault: "error_after" });
  expectError(await api.post(CREATE, { amount: 840 }, keyed("too-late")), "PROVIDER_ERROR", "unknown");
  await ageAccounts(840, 40);
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
  await releaseClaim(first.lease);
  await recordUnknown(first.lease);
  expect(await recordAnswer(first.lease, 201)).toBe(false);
  expect(await recordAnswer(second.lease, 201)).toBe(true);
  expect(await claimKey(claim, () => "third")).toEqual({ status: "replay", resourceId: "first", httpStatus: 201 });
});

test("a key with an unknown outcome keeps its link through a later refusal, and a key whose first request is refused can be used again", async () => {
  await askSandbox(app, "faults", { fault: "error_after" });
  expectError(await api.post(CREATE, { amount: 810 }, keyed("unknown-first")), "PROVIDER_ERROR", "unknown");
  await askSandbox(app, "faults", { fault: "refuse" });
  expectError(await api.post(CREATE, { amount: 810 }, keyed("unknown-first")), "PROVIDER_ERROR", "unknown");
  const { body } = await api.post(CREATE, { amount: 810 }, keyed("unknown-first"));
  const accounts = await sql()<{ reference: string }[]>`
    select reference from sandbox.bank_accounts where amount = ${kobo(810)}::text::bigint`;
  expect(accounts).toEqual([{ reference: body.reference }]);
  await askSandbox(app, "faults", { fault: "refuse" });
  expectError(await api.post(CREATE, { amount: 820 }, keyed("refused-first")), "PROVIDER_ERROR");
  expect((await api.post(CREATE, { amount: 820 }, keyed("refused-first"))).status).toBe(201);
});
