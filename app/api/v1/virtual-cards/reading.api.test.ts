import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { createApiKey } from "#services/api-keys/index.ts";
import { aCard, aCardMerchant, ISSUERS, orderFault, type TestCard } from "#services/cards/cards.fixture.ts";
import { FUND_RATE, UNLOAD_RATE } from "#services/cards/prices/prices.fixture.ts";
import { byOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";
import type { Api } from "../api.fixture.ts";
import { CARDS, RATES, simulatorOf } from "./virtual-cards.fixture.ts";

withDatabase();
const app = withApp();
withCardSweeps();

describe.each(ISSUERS)("at the issuer %s", (issuer) => {
  let shop: TestMerchant;
  let api: Api;
  let card: TestCard;

  beforeAll(async () => {
    shop = await aCardMerchant({ issuer });
    api = apiClient(app, shop.key);
    card = await aCard(shop);
  });

  test("the outcome of an operation can be read with the reason of its failure, and only by its merchant", async () => {
    await orderFault(issuer, "fund", "refuse", card);
    const { body } = await api.post(`${CARDS}/${card.id}/fund`, { amount: 5 });
    const path = `${CARDS}/${card.id}/operations`;
    const read = await api.get(`${path}/${body.data.id}`);
    expect(read.body.data).toMatchObject({
      id: body.data.id,
      type: "fund",
      status: "failed",
      failure_reason: expect.stringContaining("refused"),
    });
    const { data } = (await api.get(`${path}?limit=100`)).body;
    expect(data.map(({ id }: { id: string }) => id)).toContain(body.data.id);
    expect(data.at(-1)).toMatchObject({ type: "issue", status: "completed", exchange_rate: null, wallet_amount: 0 });
    const other = await aCard(shop);
    expectError(await api.get(`${CARDS}/${other.id}/operations/${body.data.id}`), "RESOURCE_NOT_FOUND");
    const stranger = apiClient(app, (await aCardMerchant({ issuer })).key);
    expectError(await stranger.get(path), "RESOURCE_NOT_FOUND");
    expectError(await stranger.get(`${path}/${body.data.id}`), "RESOURCE_NOT_FOUND");
  });

  test("only a key with the permission reads number and CVV; the answer is valid and never cached, and leaves an audit entry", async () => {
    const answer = await api.get(`${CARDS}/${card.id}/details`);
    const { number, cvv, expiry_month, brand } = answer.body.data;
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(number).toMatch(/^4\d{15}$/);
    expect(cvv).toMatch(/^\d{3}$/);
    expect({ brand, last4: number.slice(-4), expiry_month }).toEqual({ brand: "VISA", last4: card.last4, expiry_month: card.expiryMonth });
    const entries =
      await sql()`select actor_id, action, request_id from audit_entries where subject = ${card.id} order by seq desc limit 1`;
    expect(entries).toEqual([{ actor_id: shop.key.id, action: "card.details_requested", request_id: answer.headers.get("request-id") }]);
    const key = await createApiKey(byOperator(shop.ctx), { name: "k", permissions: ["cards:read", "cards:write"] });
    expectError(await apiClient(app, key).get(`${CARDS}/${card.id}/details`), "PERMISSION_DENIED");
  });
});

test("the rates and the fees of the platform can be read", async () => {
  const { key } = await aCardMerchant();
  const { data } = (await apiClient(app, key).get(RATES)).body;
  expect(data).toEqual([
    {
      base: "USD",
      quote: "NGN",
      fund_rate: Number(FUND_RATE),
      unload_rate: Number(UNLOAD_RATE),
      funding_fee: { flat: 0, percent: 1, minimum: 1, maximum: null },
      issue_fee: 0,
      valid_until: "2100-01-01T00:00:00.000Z",
    },
  ]);
});

test("a list of 10,000 cards misses and repeats none from page to page while cards are added, and filters them", async () => {
  const listed = 10_000;
  const shop = await aCardMerchant({ wallet: 0 });
  const api = apiClient(app, shop.key);
  const { merchant } = shop;
  await sql()`
    insert into cardholders (merchant_id, id, reference, first_name, last_name, email, provider, made_by)
    select ${merchant.id}, n, 'ch_' || n, 'Ngozi', 'Eze', n || '@cards.example', 'sandbox', 'system:test' from generate_series(1, 3) n`;
  await sql()`
    insert into cards (merchant_id, id, cardholder_id, brand, status, provider, made_by, created_at)
    select ${merchant.id}, 'card_' || lpad(to_hex(n), 26, '0'), 1 + n % 3, 'VISA', (array['PENDING','FAILED'])[1 + n % 2]::card_status, 'sandbox', 'system:test', now()
    from generate_series(1, ${listed}) n`;
  const seen: string[] = [];
  let cursor = "";
  do {
    const { body } = await api.get(`${CARDS}?limit=100${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.pagination.next_cursor ?? "";
    expect(body.pagination.has_more).toBe(cursor !== "");
    await sql()`
      insert into cards (merchant_id, id, cardholder_id, brand, provider, made_by)
      values (${merchant.id}, ${`card_Z${String(seen.length).padStart(25, "0")}`}, 1, 'VISA', 'sandbox', 'system:test')`;
  } while (cursor);
  const old = seen.filter((id) => !id.startsWith("card_Z"));
  expect(new Set(seen).size).toBe(seen.length);
  expect(old).toEqual(Array.from({ length: listed }, (_, i) => `card_${(listed - i).toString(16).padStart(26, "0")}`));
  const failed = (await api.get(`${CARDS}?status=FAILED&cardholder_id=2&limit=100`)).body.data;
  expect(failed).toHaveLength(100);
  expect(new Set(failed.map((each: { status: string; cardholder_id: number }) => `${each.status} ${each.cardholder_id}`))).toEqual(
    new Set(["FAILED 2"]),
  );
});

test("a list refuses a cursor of another list, and an invalid filter, limit or cursor", async () => {
  const shop = await aCardMerchant();
  const api = apiClient(app, shop.key);
  const card = await aCard(shop);
  for (let i = 0; i < 3; i++) await api.post(simulatorOf(card.id), { amount: 0.01, merchant_name: `Shop ${i}` });
  const first = await api.get(`${CARDS}/${card.id}/transactions?limit=2`);
  const rest = await api.get(`${CARDS}/${card.id}/transactions?limit=2&cursor=${first.body.pagination.next_cursor}`);
  expect([...first.body.data, ...rest.body.data].map(({ merchant }) => merchant.name)).toEqual(["Shop 2", "Shop 1", "Shop 0"]);
  expectError(await api.get(`${CARDS}?cursor=${first.body.pagination.next_cursor}`), "VALIDATION_ERROR");
  for (const query of [
    "status=active",
    "cardholder_id=x",
    "cardholder_id=0",
    "limit=0",
    "limit=101",
    "cursor=x",
    "cursor=",
    "cardholder_id=1e3",
  ]) {
    expectError(await api.get(`${CARDS}?${query}`), "VALIDATION_ERROR");
  }
});
