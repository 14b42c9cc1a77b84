import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { dollars, naira } from "#lib/money.ts";
import {
  aCard,
  aCardMerchant,
  addToWallet,
  ISSUERS,
  orderFault,
  readTestCard,
  settled,
  type TestCard,
} from "#services/cards/cards.fixture.ts";
import { fundCard } from "#services/cards/index.ts";
import { createApiKey, switchArea } from "#services/merchants/index.ts";
import { anOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { type ApiAnswer, apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";

withDatabase();
const app = withApp();
withCardSweeps();

const CARDS = "/api/v1/virtual-cards";
const HOLDERS = `${CARDS}/cardholders`;
const RATES = "/api/v1/exchange-rates";
const simulate = (id: string) => `/api/v1/test/virtual-cards/${id}/transactions`;
const keyed = (key: string) => ({ headers: { "Idempotency-Key": key } });
const person = { first_name: "Ngozi", last_name: "Eze", email: "ngozi@example.com" };
const NOBODY = "card_01KAF3YQW5A8Q6ZJ4K1S2T3V4W";

type Api = ReturnType<typeof apiClient>;

/** Every endpoint of the area, as it is called on a card. */
const everyCall = (api: Api, id: string): Record<string, () => Promise<ApiAnswer>> => ({
  createCardholder: () => api.post(HOLDERS, person),
  getCardholder: () => api.get(`${HOLDERS}/1`),
  issue: () => api.post(CARDS, { cardholder_id: 1 }),
  list: () => api.get(CARDS),
  ...onCard(api, id),
});
const onCard = (api: Api, id: string): Record<string, () => Promise<ApiAnswer>> => ({
  get: () => api.get(`${CARDS}/${id}`),
  fund: () => api.post(`${CARDS}/${id}/fund`, { amount: 5 }),
  unload: () => api.post(`${CARDS}/${id}/unload`, { amount: 5 }),
  freeze: () => api.post(`${CARDS}/${id}/freeze`),
  unfreeze: () => api.post(`${CARDS}/${id}/unfreeze`),
  terminate: () => api.post(`${CARDS}/${id}/terminate`),
  transactions: () => api.get(`${CARDS}/${id}/transactions`),
  details: () => api.get(`${CARDS}/${id}/details`),
  simulate: () => api.post(simulate(id), { amount: 1, merchant_name: "Shop" }),
});

describe.each(ISSUERS)("at the issuer %s", (issuer) => {
  let shop: TestMerchant;
  let api: Api;
  let card: TestCard;

  beforeAll(async () => {
    shop = await aCardMerchant({ issuer });
    api = apiClient(app, shop.key);
    card = await aCard(shop, { balance: 50 });
  });
  const cardNow = async (id = card.id) => (await api.get(`${CARDS}/${id}`)).body.data;
  const becomes = (id: string, status: string) => until(async () => (await cardNow(id)).status === status);
  const anotherCard = (balance = 0) => aCard(shop, { balance });
  const fieldOf = ({ body }: ApiAnswer) => body.error.param;

  test("everything of another merchant, and everything that there never was, is not found, in the same words", async () => {
    const stranger = apiClient(app, (await aCardMerchant({ issuer })).key);
    for (const [name, call] of Object.entries(onCard(stranger, card.id))) {
      const theirs = await call();
      const nobodys = await onCard(stranger, NOBODY)[name]?.();
      expectError(theirs, "RESOURCE_NOT_FOUND");
      expect(theirs.body.error.message).toBe(nobodys?.body.error.message);
    }
    expectError(await stranger.get(`${HOLDERS}/${card.cardholderId}`), "RESOURCE_NOT_FOUND");
    expectError(await stranger.post(CARDS, { cardholder_id: card.cardholderId }), "RESOURCE_NOT_FOUND");
    expect((await stranger.get(CARDS)).body.data).toEqual([]);
    expect((await cardNow()).status).toBe("ACTIVE");
  });

  test("an email names one cardholder for a merchant, whatever its case, and five at once make one", async () => {
    const answers = await Promise.all(
      times(5, (i) => api.post(HOLDERS, { ...person, email: i % 2 ? "Five@Example.com" : "five@example.com" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    const [row] = await sql()<
      { made: number }[]
    >`select count(*)::int as made from sandbox.cardholders where email = 'five@example.com' and house = ${issuer}`;
    expect(row?.made).toBe(1);
    const other = apiClient(app, (await aCardMerchant({ issuer })).key);
    const theirs = await other.post(HOLDERS, { ...person, email: "five@example.com" });
    expect(theirs.status).toBe(201);
    expect(theirs.body.data.id).not.toBe(answers[0]?.body.data.id);
  });

  test("creating a cardholder again with its key answers the same, with the first status, and another body is refused", async () => {
    const fields = { ...person, email: "keyed@example.com" };
    const first = await api.post(HOLDERS, fields, keyed("holder"));
    const again = await api.post(HOLDERS, fields, keyed("holder"));
    expect({ status: again.status, replayed: again.headers.get("idempotent-replayed"), id: again.body.data.id }).toEqual({
      status: 201,
      replayed: "true",
      id: first.body.data.id,
    });
    expectError(await api.post(HOLDERS, { ...fields, last_name: "Other" }, keyed("holder")), "IDEMPOTENCY_KEY_REUSED");
  });

  test.each([
    ["no email", { email: undefined }, "email"],
    ["no first name", { first_name: undefined }, "first_name"],
    ["an empty last name", { last_name: "  " }, "last_name"],
    ["a name of 101 characters", { first_name: "é".repeat(101) }, "first_name"],
    ["a phone of nowhere", { phone: "12345" }, "phone"],
    ["a Nigerian number that is too short", { phone: "080312345" }, "phone"],
    ["an unknown field", { bvn: "22222222222" }, "bvn"],
    ["a NUL", { first_name: "a\u0000" }, "first_name"],
  ])("a cardholder with %s is refused by name", async (_what, fields, param) => {
    const answer = await api.post(HOLDERS, { ...person, ...fields });
    expectError(answer, "VALIDATION_ERROR");
    expect(fieldOf(answer)).toBe(param);
  });

  test("a card is issued to nobody who is not approved", async () => {
    for (const email of ["late+pending@example.com", "bad+rejected@example.com"]) {
      const { body } = await api.post(HOLDERS, { ...person, email });
      if (email.includes("rejected"))
        await until(async () => (await api.get(`${HOLDERS}/${body.data.id}`)).body.data.kyc_status === "REJECTED");
      expectError(await api.post(CARDS, { cardholder_id: body.data.id }), "CARDHOLDER_KYC_NOT_APPROVED");
    }
  });

  test.each([
    ["an id as text", { cardholder_id: "1" }, "cardholder_id"],
    ["no cardholder", {}, "cardholder_id"],
    ["a fraction", { cardholder_id: 1.5 }, "cardholder_id"],
    ["a brand in lower case", { cardholder_id: 1, brand: "visa" }, "brand"],
    ["a card number as nickname", { cardholder_id: 1, nickname: "4242 4242 4242 4242" }, "nickname"],
    ["a nickname of 51 characters", { cardholder_id: 1, nickname: "x".repeat(51) }, "nickname"],
    ["an unknown field", { cardholder_id: 1, colour: "red" }, "colour"],
  ])("issuing with %s is refused by name", async (_what, fields, param) => {
    const answer = await api.post(CARDS, fields);
    expectError(answer, "VALIDATION_ERROR");
    expect(fieldOf(answer)).toBe(param);
  });

  test("issuing five times at once with one key makes one card, and a replay presents it as it is now", async () => {
    const fields = { cardholder_id: card.cardholderId, nickname: "once" };
    const answers = await Promise.all(times(5, () => api.post(CARDS, fields, keyed("issue"))));
    for (const answer of answers) if (answer.status !== 201) expectError(answer, "REQUEST_IN_PROGRESS", "unknown");
    const ids = new Set(answers.flatMap(({ status, body }) => (status === 201 ? [body.data.id] : [])));
    expect(ids.size).toBe(1);
    await becomes([...ids][0], "ACTIVE");
    const replay = await api.post(CARDS, fields, keyed("issue"));
    expect(replay.body.data).toMatchObject({ id: [...ids][0], status: "ACTIVE" });
    const { data } = (await api.get(`${CARDS}?limit=100`)).body;
    expect(data.filter(({ nickname }: { nickname: string }) => nickname === "once")).toHaveLength(1);
  });

  test("a card that the issuer refuses has FAILED, says so by an event, and takes nothing", async () => {
    await orderFault(issuer, "issue", "refuse");
    const { status, body } = await api.post(CARDS, { cardholder_id: card.cardholderId });
    expect(status).toBe(201);
    await becomes(body.data.id, "FAILED");
    expect(await cardNow(body.data.id)).toMatchObject({ last4: null, masked_pan: null, balance: 0 });
    const calls = onCard(api, body.data.id);
    for (const name of ["fund", "unload", "freeze", "unfreeze", "terminate", "details", "simulate"]) {
      const answer = await calls[name]?.();
      if (answer) expectError(answer, "CARD_NOT_ACTIVE");
    }
    expect((await calls.transactions?.())?.body.data).toEqual([]);
  });

  test.each([
    ["nothing", {}, "amount"],
    ["less than a dollar", { amount: 0.99 }, "amount"],
    ["more than 10,000 dollars", { amount: 10_000.01 }, "amount"],
    ["three decimals", { amount: 5.001 }, "amount"],
    ["an amount as text", { amount: "5" }, "amount"],
    ["an amount that is wrong in two ways", { amount: 1e-7 }, "amount"],
    ["a rate of five decimals", { amount: 5, max_exchange_rate: 1600.00001 }, "max_exchange_rate"],
    ["a rate of zero", { amount: 5, max_exchange_rate: 0 }, "max_exchange_rate"],
    ["a rate beyond all bounds", { amount: 5, max_exchange_rate: 1e21 }, "max_exchange_rate"],
    ["an unknown field", { amount: 5, currency: "USD" }, "currency"],
  ])("funding with %s is refused by name", async (_what, fields, param) => {
    const answer = await api.post(`${CARDS}/${card.id}/fund`, fields);
    expectError(answer, "VALIDATION_ERROR");
    expect(fieldOf(answer)).toBe(param);
  });

  test("funding five times at once with one key charges once; a replay answers the same operation", async () => {
    const before = (await api.get("/api/v1/wallet")).body.data.balance;
    const send = () => api.post(`${CARDS}/${card.id}/fund`, { amount: 5 }, keyed("fund"));
    const answers = await Promise.all(times(5, send));
    const made = answers.filter(({ status }) => status < 300);
    for (const answer of answers) if (answer.status >= 300) expectError(answer, "REQUEST_IN_PROGRESS", "unknown");
    const ids = [...new Set(made.map(({ body }) => body.data.id))];
    expect(ids).toHaveLength(1);
    await settled({ merchantId: shop.merchant.id, id: ids[0] });
    const replay = await send();
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(replay.body.data).toMatchObject({ id: ids[0], status: "completed", wallet_amount: 9_600 });
    expect(replay.status).toBe(made[0]?.status);
    expect((await api.get("/api/v1/wallet")).body.data.balance).toBe(before - 9_600);
  });

  test("a funding of which nobody knows what became is 202, and its replay finishes it", async () => {
    await orderFault(issuer, "fund", "error_after", card);
    const first = await api.post(`${CARDS}/${card.id}/fund`, { amount: 5 }, keyed("unknown"));
    expect({ status: first.status, state: first.body.data.status }).toEqual({ status: 202, state: "processing" });
    await settled({ merchantId: shop.merchant.id, id: first.body.data.id });
    const replay = await api.post(`${CARDS}/${card.id}/fund`, { amount: 5 }, keyed("unknown"));
    expect({ status: replay.status, id: replay.body.data.id, state: replay.body.data.status }).toEqual({
      status: 202,
      id: first.body.data.id,
      state: "completed",
    });
  });

  test("whose process died after it claimed is finished by the replay, and not funded twice", async () => {
    const send = () => api.post(`${CARDS}/${card.id}/fund`, { amount: 6 }, keyed("died"));
    const first = await send();
    await settled({ merchantId: shop.merchant.id, id: first.body.data.id });
    await sql()`update idempotency_keys set state = 'running', status = null, locked_until = now() - interval '1 s' where key = 'died' and merchant_id = ${shop.merchant.id}`;
    const again = await send();
    expect(again.body.data).toMatchObject({ id: first.body.data.id, status: "completed" });
    const [row] = await sql()<
      { made: number }[]
    >`select count(*)::int as made from card_operations where merchant_id = ${shop.merchant.id} and amount = 600`;
    expect(row?.made).toBe(1);
  });

  test("funding beyond the wallet, above the allowed rate, or with no issuer that takes it, does nothing and says which", async () => {
    const poor = await aCardMerchant({ issuer, wallet: 0 });
    const theirs = await aCard(poor);
    const theirApi = apiClient(app, poor.key);
    const path = `${CARDS}/${theirs.id}/fund`;
    expectError(await theirApi.post(path, { amount: 5, max_exchange_rate: 1_599.9999 }), "PRICE_CHANGED");
    expectError(await theirApi.post(path, { amount: 5 }, keyed("later")), "INSUFFICIENT_BALANCE");
    await addToWallet(poor, naira(9_600));
    const paid = await theirApi.post(path, { amount: 5 }, keyed("later"));
    expect((await settled({ merchantId: poor.merchant.id, id: paid.body.data.id })).status).toBe("completed");
    await orderFault(issuer, "fund", "refuse", card);
    const refused = await api.post(`${CARDS}/${card.id}/fund`, { amount: 5 });
    expect({ status: refused.status, state: refused.body.data.status }).toEqual({ status: 200, state: "failed" });
  });

  test("unloading more than is there, or nothing, is refused", async () => {
    const { balance } = await cardNow();
    expectError(await api.post(`${CARDS}/${card.id}/unload`, { amount: balance + 0.01 }), "INSUFFICIENT_CARD_BALANCE");
    expectError(await api.post(`${CARDS}/${card.id}/unload`, { amount: 0 }), "VALIDATION_ERROR");
    expectError(await api.post(`${CARDS}/${card.id}/unload`, {}), "VALIDATION_ERROR");
  });

  test("a frozen card is neither funded nor unloaded; freezing and unfreezing again is the same answer", async () => {
    const frozen = await anotherCard(5);
    const calls = onCard(api, frozen.id);
    await calls.freeze?.();
    await becomes(frozen.id, "FROZEN");
    for (const name of ["fund", "unload"]) {
      const answer = await calls[name]?.();
      if (answer) expectError(answer, "CARD_FROZEN");
    }
    const again = await calls.freeze?.();
    expect({ status: again?.status, state: again?.body.data.status }).toEqual({ status: 200, state: "FROZEN" });
    expect((await calls.details?.())?.status).toBe(200);
    await calls.unfreeze?.();
    await becomes(frozen.id, "ACTIVE");
    expect((await calls.unfreeze?.())?.body.data.status).toBe("ACTIVE");
  });

  test("a terminated card refuses everything with CARD_TERMINATED, but for reading it and terminating it again", async () => {
    const { id } = await anotherCard(2);
    const calls = onCard(api, id);
    await api.post(`${CARDS}/${id}/terminate`, undefined, keyed("end"));
    await becomes(id, "TERMINATED");
    for (const name of ["fund", "unload", "freeze", "unfreeze", "details"]) {
      const answer = await calls[name]?.();
      if (answer) expectError(answer, "CARD_TERMINATED");
    }
    for (const answer of [await calls.get?.(), await calls.terminate?.(), await api.post(`${CARDS}/${id}/terminate`, {}, keyed("end"))]) {
      expect(answer?.body.data).toMatchObject({ status: "TERMINATED", balance: 0 });
    }
    expect((await calls.transactions?.())?.status).toBe(200);
    expect((await calls.simulate?.())?.body.data).toMatchObject({ type: "DECLINE", decline_reason: "card_closed" });
  });

  test("an issuer that refuses to freeze leaves the card as it was, and says that nothing was done", async () => {
    await orderFault(issuer, "freeze", "refuse", card);
    expectError(await api.post(`${CARDS}/${card.id}/freeze`, undefined, keyed("again")), "PROVIDER_ERROR");
    expect((await cardNow()).status).toBe("ACTIVE");
    // Nothing was executed, so the key may try again.
    const { id } = await anotherCard();
    expect((await api.post(`${CARDS}/${id}/freeze`, {}, keyed("fresh"))).status).toBeLessThan(300);
  });

  test("while the end of a card is not decided, it takes nothing more, and the opposite of a running change waits", async () => {
    const ending = await anotherCard(3);
    await orderFault(issuer, "close", "error_before", ending);
    expect((await api.post(`${CARDS}/${ending.id}/terminate`)).status).toBe(202);
    for (const verb of ["fund", "unload"]) expectError(await api.post(`${CARDS}/${ending.id}/${verb}`, { amount: 1 }), "CARD_NOT_ACTIVE");
    expect((await api.post(`${CARDS}/${ending.id}/terminate`)).status).toBe(202);
    const changing = await anotherCard();
    await orderFault(issuer, "freeze", "error_before", changing);
    expect((await api.post(`${CARDS}/${changing.id}/freeze`)).status).toBe(202);
    expect((await api.post(`${CARDS}/${changing.id}/freeze`)).status).toBe(202);
    expectError(await api.post(`${CARDS}/${changing.id}/unfreeze`), "REQUEST_IN_PROGRESS", "not_executed");
  });

  test("one that was refused though an earlier try had died may be tried again with its key", async () => {
    const { id } = await anotherCard();
    const send = () => api.post(`${CARDS}/${id}/freeze`, {}, keyed("resumed"));
    await orderFault(issuer, "freeze", "error_before", { providerReference: (await readTestCard(shop, id)).providerReference });
    expect((await send()).status).toBe(202);
    await sql()`
      update card_operations set status = 'failed', failure_reason = 'The card issuer refused it.', completed_at = now(), next_attempt_at = null
      where card_id = ${id} and type = 'freeze'`;
    await sql()`update idempotency_keys set state = 'unknown', status = null where key = 'resumed' and merchant_id = ${shop.merchant.id}`;
    expectError(await send(), "PROVIDER_ERROR", "not_executed");
    expect((await send()).status).toBeLessThan(300);
    await becomes(id, "FROZEN");
  });

  test("a key holds however the path is written", async () => {
    const paths = [
      `${CARDS}/${card.id}/fund`,
      `${CARDS}/${card.id}/fund/`,
      `${CARDS}/${card.id.replace("_", "%5F")}/fund`,
      `${CARDS}/${card.id}/fund?x=1`,
    ];
    const ids = new Set<string>();
    for (const path of paths) {
      const response = await fetch(`${app.url}${path}`, {
        method: "POST",
        headers: {
          "X-Api-Key": shop.key.publicKey,
          "X-Api-Secret": shop.key.secretKey,
          "Idempotency-Key": "spelling",
          "Content-Type": "application/json",
        },
        body: JSON.stringify({ amount: 1 }),
      });
      if (response.ok) ids.add((await response.json()).data.id);
    }
    expect(ids.size).toBe(1);
  });

  test("what became of an operation can be read, and why it failed", async () => {
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
    const { id: other } = await anotherCard();
    expectError(await api.get(`${CARDS}/${other}/operations/${body.data.id}`), "RESOURCE_NOT_FOUND");
    const stranger = apiClient(app, (await aCardMerchant({ issuer })).key);
    expectError(await stranger.get(path), "RESOURCE_NOT_FOUND");
    expectError(await stranger.get(`${path}/${body.data.id}`), "RESOURCE_NOT_FOUND");
  });

  test("an issuer that does not take a person's data leaves no cardholder behind, and the email free", async () => {
    await orderFault(issuer, "create-cardholder", "refuse");
    const fields = { ...person, email: "not-taken@example.com" };
    expectError(await api.post(HOLDERS, fields), "PROVIDER_ERROR");
    expect((await api.post(HOLDERS, fields)).status).toBe(201);
  });

  test("a cardholder whom the issuer did not answer to is asked for again, and approved", async () => {
    await orderFault(issuer, "create-cardholder", "error_after");
    const { status, body } = await api.post(HOLDERS, { ...person, email: "no-answer@example.com" });
    expect({ status, kyc: body.data.kyc_status }).toEqual({ status: 201, kyc: "PENDING" });
    await until(async () => (await api.get(`${HOLDERS}/${body.data.id}`)).body.data.kyc_status === "APPROVED", 20_000);
  });

  test("bodies where none belongs are refused; none and {} are the same", async () => {
    for (const verb of ["freeze", "unfreeze", "terminate"])
      expectError(await api.post(`${CARDS}/${card.id}/${verb}`, { why: "x" }), "VALIDATION_ERROR");
    expect((await api.post(`${CARDS}/${card.id}/unfreeze`, {})).status).toBe(200);
  });

  test.each([
    ["an unknown type", { type: "PURCHASE", amount: 1, merchant_name: "Shop" }, "type"],
    ["no shop", { amount: 1 }, "merchant_name"],
    ["no amount", { merchant_name: "Shop" }, "amount"],
    [
      "a transaction of nobody",
      { type: "CLEARING", amount: 1, merchant_name: "Shop", related_transaction_id: "ctx_nobody" },
      "related_transaction_id",
    ],
    ["a reversal of nothing", { type: "REVERSAL", amount: 1, merchant_name: "Shop" }, "related_transaction_id"],
  ])("the simulator refuses %s by name", async (_what, fields, param) => {
    const answer = await api.post(simulate(card.id), fields);
    expectError(answer, "VALIDATION_ERROR");
    expect(fieldOf(answer)).toBe(param);
  });

  test("a simulated authorization sent five times with one key is one; the card pays once", async () => {
    const { balance } = await cardNow();
    const send = () => api.post(simulate(card.id), { amount: 2, merchant_name: "Shop" }, keyed("shop"));
    const answers = (await Promise.all(times(5, send))).filter(({ status }) => status === 201);
    const replay = await send();
    expect(new Set([...answers, replay].map(({ body }) => body.data.id)).size).toBe(1);
    expect((await cardNow()).balance).toBe(balance - 2);
    expect((await api.post(simulate(card.id), { type: "DECLINE", amount: 2, merchant_name: "Shop" })).body.data.decline_reason).toBe(
      "do_not_honor",
    );
  });

  test("the number and CVV are revealed to a key that may, valid, never cached, and leave an audit entry", async () => {
    const answer = await api.get(`${CARDS}/${card.id}/details`);
    const { number, cvv, expiry_month, brand } = answer.body.data;
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(number).toMatch(/^4\d{15}$/);
    expect(cvv).toMatch(/^\d{3}$/);
    expect({ brand, last4: number.slice(-4), expiry_month }).toEqual({ brand: "VISA", last4: card.last4, expiry_month: card.expiryMonth });
    const entries = await sql()`select actor_id, action, request_id from audit_entries where subject = ${card.id} order by id desc limit 1`;
    expect(entries).toEqual([{ actor_id: shop.key.id, action: "card.details_requested", request_id: answer.headers.get("request-id") }]);
    const key = await createApiKey(shop.ctx, { name: "k", permissions: ["cards:read", "cards:write"] });
    expectError(await apiClient(app, key).get(`${CARDS}/${card.id}/details`), "PERMISSION_DENIED");
  });

  test("the books agree after all this", async () => {
    await fundCard(shop.ctx, card.id, { amount: dollars(1), maxExchangeRate: null });
    await expectInvariantsToHold();
  });
});

describe("whoever stands behind the cards", () => {
  test("an area that is not enabled is SERVICE_NOT_ENABLED on every endpoint, whatever the body", async () => {
    const shop = await aCardMerchant();
    const api = apiClient(app, shop.key);
    const card = await aCard(shop);
    await switchArea(anOperator, shop.merchant.id, "cards", false);
    await until(async () => (await api.get(CARDS)).status === 403);
    for (const call of Object.values(everyCall(api, card.id))) expectError(await call(), "SERVICE_NOT_ENABLED");
    expectError(await api.post(CARDS, { rubbish: true }), "SERVICE_NOT_ENABLED");
    expectError(await api.call("POST", HOLDERS, { raw: "{" }), "SERVICE_NOT_ENABLED");
    expect((await api.get(RATES)).status).toBe(200);
  });

  test("in live mode nobody stands there yet: creating says whom to ask, and test endpoints do not exist", async () => {
    const { liveMerchantId, liveCtx } = await aCardMerchant();
    await switchArea(anOperator, liveMerchantId, "cards", true);
    const key = await createApiKey(liveCtx, { name: "k" });
    const api = apiClient(app, key);
    const answer = await api.post(HOLDERS, person);
    expectError(answer, "PROVIDER_UNAVAILABLE");
    expect(answer.body.error.message).toMatch(/^Live mode has no .* Ask the operator of this service\.$/);
    expectError(await api.get(RATES), "PROVIDER_UNAVAILABLE");
    expectError(await api.post(simulate(NOBODY), { amount: 1, merchant_name: "x" }), "RESOURCE_NOT_FOUND");
    // To reveal in live mode has to be asked for.
    expectError(await api.get(`${CARDS}/${NOBODY}/details`), "PERMISSION_DENIED");
    await expect(sql()`update merchant_providers set mode = 'live', provider = 'sandbox-async'`).rejects.toThrow(
      /no_sandbox_in_live|mode_fkey/,
    );
  });

  test("rates and the funding fee are there to be read before the click", async () => {
    const { key } = await aCardMerchant();
    const { data } = (await apiClient(app, key).get(RATES)).body;
    expect(data).toEqual([
      {
        base: "USD",
        quote: "NGN",
        fund_rate: 1_600,
        unload_rate: 1_500,
        funding_fee: { flat: 0, percent: 1, minimum: 1, maximum: null },
        issue_fee: 0,
        valid_until: "2100-01-01T00:00:00.000Z",
      },
    ]);
  });

  test.each(["%00", "card_%00", "..%2f", "x".repeat(65), "card_é"])("an id like %s names nothing", async (id) => {
    const { key } = await aCardMerchant({ wallet: 0 });
    expectError(await apiClient(app, key).get(`${CARDS}/${id}`), "RESOURCE_NOT_FOUND");
    expectError(await apiClient(app, key).get(`${HOLDERS}/${id}`), "RESOURCE_NOT_FOUND");
  });

  test("notices are taken from issuers that we know, signed where they sign, and told to nobody else", async () => {
    const send = (provider: string, body: string) => fetch(`${app.url}/api/providers/${provider}/card-notices`, { method: "POST", body });
    const statuses = async (...answers: Promise<Response>[]) => (await Promise.all(answers)).map(({ status }) => status);
    const unsigned = JSON.stringify({ event: "card.changed", objectId: "crd_nobody" });
    expect(
      await statuses(
        send("nobody", "{}"),
        send("__proto__", "{}"),
        send("sandbox", "{}"),
        send("sandbox-async", "{"),
        send("sandbox-async", unsigned),
      ),
    ).toEqual([404, 404, 401, 401, 200]);
    expect(
      await statuses(
        send("sandbox-async", "x".repeat(70_000)),
        send("sandbox-async", JSON.stringify({ event: "x", objectId: "a\u0000b" })),
      ),
    ).toEqual([413, 401]);
  });
});

describe("lists", () => {
  const MANY = 10_000;

  test("page through 10,000 cards and miss or repeat none, while new ones are added", async () => {
    const shop = await aCardMerchant({ wallet: 0 });
    const api = apiClient(app, shop.key);
    const { merchant } = shop;
    await sql()`
      insert into cards (merchant_id, id, cardholder_id, brand, status, provider, created_at)
      select ${merchant.id}, 'card_' || lpad(to_hex(n), 26, '0'), 1 + n % 3, 'VISA', (array['PENDING','FAILED'])[1 + n % 2]::card_status, 'sandbox', now()
      from generate_series(1, ${MANY}) n`;
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await api.get(`${CARDS}?limit=100${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.pagination.next_cursor ?? "";
      expect(body.pagination.has_more).toBe(cursor !== "");
      await sql()`
        insert into cards (merchant_id, id, cardholder_id, brand, provider)
        values (${merchant.id}, ${`card_Z${String(seen.length).padStart(25, "0")}`}, 1, 'VISA', 'sandbox')`;
    } while (cursor);
    const old = seen.filter((id) => !id.startsWith("card_Z"));
    expect(new Set(seen).size).toBe(seen.length);
    expect(old).toEqual(Array.from({ length: MANY }, (_, i) => `card_${(MANY - i).toString(16).padStart(26, "0")}`));
    const failed = (await api.get(`${CARDS}?status=FAILED&cardholder_id=2&limit=100`)).body.data;
    expect(failed).toHaveLength(100);
    expect(new Set(failed.map((each: { status: string; cardholder_id: number }) => `${each.status} ${each.cardholder_id}`))).toEqual(
      new Set(["FAILED 2"]),
    );
  });

  test("of cardholders page, and find a person by email or state", async () => {
    const api = apiClient(app, (await aCardMerchant({ wallet: 0 })).key);
    const made: number[] = [];
    for (const name of ["one", "two", "three+pending"])
      made.push((await api.post(HOLDERS, { ...person, email: `${name}@example.com` })).body.data.id);
    const first = (await api.get(`${HOLDERS}?limit=2`)).body;
    const rest = (await api.get(`${HOLDERS}?limit=2&cursor=${first.pagination.next_cursor}`)).body;
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(made.toReversed());
    const idsOf = async (query: string) => (await api.get(`${HOLDERS}?${query}`)).body.data.map(({ id }: { id: number }) => id);
    expect(await idsOf("email=TWO@example.com")).toEqual([made[1]]);
    await until(async () => (await idsOf("kyc_status=APPROVED")).length === 2);
    expect(await idsOf("kyc_status=PENDING")).toEqual([made[2]]);
    expectError(await api.get(`${HOLDERS}?kyc_status=pending`), "VALIDATION_ERROR");
    const stranger = apiClient(app, (await aCardMerchant({ wallet: 0 })).key);
    expect((await stranger.get(`${HOLDERS}?email=two@example.com`)).body.data).toEqual([]);
  });

  test("refuse cursors of others and what they cannot filter by", async () => {
    const shop = await aCardMerchant();
    const api = apiClient(app, shop.key);
    const card = await aCard(shop);
    for (let i = 0; i < 3; i++) await api.post(simulate(card.id), { amount: 0.01, merchant_name: `Shop ${i}` });
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
});
