import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { dollars } from "#lib/money.ts";
import { createApiKey } from "#services/api-keys/index.ts";
import { aCard, aCardMerchant, addToWallet, ISSUERS, orderFault, settled, type TestCard } from "#services/cards/cards.fixture.ts";
import { fundCard } from "#services/cards/index.ts";
import { FUND_RATE, fundingCost } from "#services/cards/prices/prices.fixture.ts";
import { switchArea } from "#services/merchants/index.ts";
import { anOperator, byOperator, enableLiveAreas, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { type Api, keyed } from "../api.fixture.ts";
import { CARDS, callsOfArea, callsOn, fieldOf, HOLDERS, person, RATES, simulatorOf, UNKNOWN_CARD } from "./virtual-cards.fixture.ts";

withDatabase();
const app = withApp();
withCardSweeps();

/** The calls that move money, and their quotes. */
const MOVES = ["quoteFund", "quoteUnload", "fund", "unload"] as const;

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

  test("a card of another merchant is not found, with the same message as a card that does not exist", async () => {
    const stranger = apiClient(app, (await aCardMerchant({ issuer })).key);
    const onUnknown = callsOn(stranger, UNKNOWN_CARD);
    const onForeign = callsOn(stranger, card.id);
    for (const name of Object.keys(onForeign) as (keyof typeof onForeign)[]) {
      const answer = await onForeign[name]();
      expectError(answer, "RESOURCE_NOT_FOUND");
      expect(answer.body.error.message).toBe((await onUnknown[name]()).body.error.message);
    }
    expectError(await stranger.get(`${HOLDERS}/${card.cardholderId}`), "RESOURCE_NOT_FOUND");
    expectError(await stranger.post(CARDS, { cardholder_id: card.cardholderId }), "RESOURCE_NOT_FOUND");
    expect((await stranger.get(CARDS)).body.data).toEqual([]);
    expect((await cardNow()).status).toBe("ACTIVE");
  });

  test.each([
    ["an id as text", { cardholder_id: "1" }, "cardholder_id"],
    ["no cardholder", {}, "cardholder_id"],
    ["a fraction", { cardholder_id: 1.5 }, "cardholder_id"],
    ["a brand in lower case", { cardholder_id: 1, brand: "visa" }, "brand"],
    ["a card number as nickname", { cardholder_id: 1, nickname: "4242 4242 4242 4242" }, "nickname"],
    ["a nickname of 51 characters", { cardholder_id: 1, nickname: "x".repeat(51) }, "nickname"],
    ["an unknown field", { cardholder_id: 1, colour: "red" }, "colour"],
  ])("issuing with %s is refused, and the error names the field", async (_flaw, fields, param) => {
    const answer = await api.post(CARDS, fields);
    expectError(answer, "VALIDATION_ERROR");
    expect(fieldOf(answer)).toBe(param);
  });

  test("a card that the issuer refuses becomes FAILED, and refuses every action", async () => {
    await orderFault(issuer, "issue", "refuse");
    const { status, body } = await api.post(CARDS, { cardholder_id: card.cardholderId });
    expect(status).toBe(201);
    await becomes(body.data.id, "FAILED");
    expect(await cardNow(body.data.id)).toMatchObject({ last4: null, masked_pan: null, balance: 0 });
    const calls = callsOn(api, body.data.id);
    for (const name of [...MOVES, "freeze", "unfreeze", "terminate", "details", "simulate"] as const)
      expectError(await calls[name](), "CARD_NOT_ACTIVE");
    expect((await calls.transactions()).body.data).toEqual([]);
  });

  test.each([
    ["no field", {}, "amount"],
    ["less than a dollar", { amount: 0.99 }, "amount"],
    ["more than 10,000 dollars", { amount: 10_000.01 }, "amount"],
    ["three decimals", { amount: 5.001 }, "amount"],
    ["an amount as text", { amount: "5" }, "amount"],
    ["an amount that is wrong in two ways", { amount: 1e-7 }, "amount"],
    ["a rate of five decimals", { amount: 5, max_exchange_rate: 1600.00001 }, "max_exchange_rate"],
    ["a rate of zero", { amount: 5, max_exchange_rate: 0 }, "max_exchange_rate"],
    ["a rate of 22 digits", { amount: 5, max_exchange_rate: 1e21 }, "max_exchange_rate"],
    ["a limit of three decimals", { amount: 5, max_wallet_amount: 9600.001 }, "max_wallet_amount"],
    ["a limit of zero", { amount: 5, max_wallet_amount: 0 }, "max_wallet_amount"],
    ["a limit as text", { amount: 5, max_wallet_amount: "9600" }, "max_wallet_amount"],
    ["an unknown field", { amount: 5, currency: "USD" }, "currency"],
  ])("funding with %s is refused, and the error names the field", async (_flaw, fields, param) => {
    const answer = await api.post(`${CARDS}/${card.id}/fund`, fields);
    expectError(answer, "VALIDATION_ERROR");
    expect(fieldOf(answer)).toBe(param);
  });

  test("a funding above the allowed rate, beyond the wallet or refused by the issuer says so, and its key can be used again", async () => {
    const poor = await aCardMerchant({ issuer, wallet: 0 });
    const theirs = await aCard(poor);
    const theirApi = apiClient(app, poor.key);
    const path = `${CARDS}/${theirs.id}/fund`;
    expectError(await theirApi.post(path, { amount: 5, max_exchange_rate: Number(FUND_RATE) - 0.0001 }), "PRICE_CHANGED");
    expectError(await theirApi.post(path, { amount: 5 }, keyed("later")), "INSUFFICIENT_BALANCE");
    await addToWallet(poor, fundingCost(5));
    const paid = await theirApi.post(path, { amount: 5 }, keyed("later"));
    expect((await settled({ merchantId: poor.merchant.id, id: paid.body.data.id })).status).toBe("completed");
    await orderFault(issuer, "fund", "refuse", card);
    const refused = await api.post(`${CARDS}/${card.id}/fund`, { amount: 5 });
    expect({ status: refused.status, state: refused.body.data.status }).toEqual({ status: 200, state: "failed" });
  });

  test("an unload is refused if its amount is zero, missing or more than the balance, or if its lowest rate is not a rate", async () => {
    const { balance } = await cardNow();
    const answer = await api.post(`${CARDS}/${card.id}/unload`, { amount: 1, min_exchange_rate: "1450" });
    expectError(answer, "VALIDATION_ERROR");
    expect(fieldOf(answer)).toBe("min_exchange_rate");
    expectError(await api.post(`${CARDS}/${card.id}/unload`, { amount: balance + 0.01 }), "INSUFFICIENT_CARD_BALANCE");
    expectError(await api.post(`${CARDS}/${card.id}/unload`, { amount: 0 }), "VALIDATION_ERROR");
    expectError(await api.post(`${CARDS}/${card.id}/unload`, {}), "VALIDATION_ERROR");
  });

  test("a frozen card refuses fundings and unloads, and freezing or unfreezing it again gives the same answer", async () => {
    const frozen = await anotherCard(5);
    const calls = callsOn(api, frozen.id);
    await calls.freeze();
    await becomes(frozen.id, "FROZEN");
    for (const name of MOVES) expectError(await calls[name](), "CARD_FROZEN");
    const again = await calls.freeze();
    expect({ status: again.status, state: again.body.data.status }).toEqual({ status: 200, state: "FROZEN" });
    expect((await calls.details()).status).toBe(200);
    await calls.unfreeze();
    await becomes(frozen.id, "ACTIVE");
    expect((await calls.unfreeze()).body.data.status).toBe("ACTIVE");
  });

  test("a terminated card refuses every change with CARD_TERMINATED except another termination, and can be read", async () => {
    const { id } = await anotherCard(2);
    const calls = callsOn(api, id);
    await api.post(`${CARDS}/${id}/terminate`, undefined, keyed("end"));
    await becomes(id, "TERMINATED");
    for (const name of [...MOVES, "freeze", "unfreeze", "details"] as const) expectError(await calls[name](), "CARD_TERMINATED");
    for (const answer of [await calls.get(), await calls.terminate(), await api.post(`${CARDS}/${id}/terminate`, {}, keyed("end"))]) {
      expect(answer.body.data).toMatchObject({ status: "TERMINATED", balance: 0 });
    }
    expect((await calls.transactions()).status).toBe(200);
    expect((await calls.simulate()).body.data).toMatchObject({ type: "DECLINE", decline_reason: "card_closed" });
  });

  test("a freeze that the issuer refuses leaves the card ACTIVE and is answered as not executed", async () => {
    await orderFault(issuer, "freeze", "refuse", card);
    expectError(await api.post(`${CARDS}/${card.id}/freeze`, undefined, keyed("again")), "PROVIDER_ERROR");
    expect((await cardNow()).status).toBe("ACTIVE");
    // The fault was for that card only.
    const { id } = await anotherCard();
    expect((await api.post(`${CARDS}/${id}/freeze`, {}, keyed("fresh"))).status).toBeLessThan(300);
  });

  test("while a termination is processing, the card refuses money; while a freeze is processing, it refuses the unfreeze", async () => {
    const ending = await anotherCard(3);
    await orderFault(issuer, "close", "error_before", ending);
    expect((await api.post(`${CARDS}/${ending.id}/terminate`)).status).toBe(202);
    for (const name of MOVES) expectError(await callsOn(api, ending.id)[name](), "CARD_NOT_ACTIVE");
    expect((await api.post(`${CARDS}/${ending.id}/terminate`)).status).toBe(202);
    const changing = await anotherCard();
    await orderFault(issuer, "freeze", "error_before", changing);
    expect((await api.post(`${CARDS}/${changing.id}/freeze`)).status).toBe(202);
    expect((await api.post(`${CARDS}/${changing.id}/freeze`)).status).toBe(202);
    expectError(await api.post(`${CARDS}/${changing.id}/unfreeze`), "REQUEST_IN_PROGRESS", "not_executed");
  });

  test("a freeze, unfreeze or termination refuses a body with fields, and an empty body is accepted", async () => {
    for (const verb of ["freeze", "unfreeze", "terminate"])
      expectError(await api.post(`${CARDS}/${card.id}/${verb}`, { why: "x" }), "VALIDATION_ERROR");
    expect((await api.post(`${CARDS}/${card.id}/unfreeze`, {})).status).toBe(200);
  });

  test.each([
    ["an unknown type", { type: "PURCHASE", amount: 1, merchant_name: "Shop" }, "type"],
    ["no shop", { amount: 1 }, "merchant_name"],
    ["no amount", { merchant_name: "Shop" }, "amount"],
    [
      "a related transaction that does not exist",
      { type: "CLEARING", amount: 1, merchant_name: "Shop", related_transaction_id: "ctx_nobody" },
      "related_transaction_id",
    ],
    ["a reversal of nothing", { type: "REVERSAL", amount: 1, merchant_name: "Shop" }, "related_transaction_id"],
  ])("the simulator refuses %s, and the error names the field", async (_flaw, fields, param) => {
    const answer = await api.post(simulatorOf(card.id), fields);
    expectError(answer, "VALIDATION_ERROR");
    expect(fieldOf(answer)).toBe(param);
  });

  test("the ledger breaks no invariant after all these requests", async () => {
    await fundCard(shop.ctx, card.id, { amount: dollars(1) });
    await expectInvariantsToHold();
  });
});

test("while the cards area is off, each of its endpoints answers SERVICE_NOT_ENABLED to any body, and rates can be read", async () => {
  const shop = await aCardMerchant();
  const api = apiClient(app, shop.key);
  const card = await aCard(shop);
  await switchArea(anOperator, shop.merchant.id, "cards", false);
  await until(async () => (await api.get(CARDS)).status === 403);
  for (const call of Object.values(callsOfArea(api, card.id))) expectError(await call(), "SERVICE_NOT_ENABLED");
  expectError(await api.post(CARDS, { rubbish: true }), "SERVICE_NOT_ENABLED");
  expectError(await api.call("POST", HOLDERS, { raw: "{" }), "SERVICE_NOT_ENABLED");
  expect((await api.get(RATES)).status).toBe(200);
});

test("live mode has no issuer yet: creating a cardholder says whom to ask, and test endpoints do not exist", async () => {
  const { liveMerchantId, liveCtx } = await aCardMerchant();
  await enableLiveAreas(liveMerchantId, "cards");
  const key = await createApiKey(byOperator(liveCtx), { name: "k" });
  const api = apiClient(app, key);
  const answer = await api.post(HOLDERS, person);
  expectError(answer, "PROVIDER_UNAVAILABLE");
  expect(answer.body.error.message).toMatch(/^Live mode has no .* Ask the operator of this service\.$/);
  expectError(await api.get(RATES), "PROVIDER_UNAVAILABLE");
  expectError(await api.post(simulatorOf(UNKNOWN_CARD), { amount: 1, merchant_name: "x" }), "RESOURCE_NOT_FOUND");
  // A live key may reveal details only if it was created with that permission.
  expectError(await api.get(`${CARDS}/${UNKNOWN_CARD}/details`), "PERMISSION_DENIED");
  await expect(sql()`update merchant_providers set mode = 'live', provider = 'sandbox-async'`).rejects.toThrow(
    /no_sandbox_in_live|mode_fkey/,
  );
});

test.each(["%00", "card_%00", "..%2f", "x".repeat(65), "card_é"])("an id like %s is not found", async (id) => {
  const { key } = await aCardMerchant({ wallet: 0 });
  expectError(await apiClient(app, key).get(`${CARDS}/${id}`), "RESOURCE_NOT_FOUND");
  expectError(await apiClient(app, key).get(`${HOLDERS}/${id}`), "RESOURCE_NOT_FOUND");
});

test("a notice is accepted only from a known issuer, with a signature if that issuer signs, and within its size limit", async () => {
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
    await statuses(send("sandbox-async", "x".repeat(70_000)), send("sandbox-async", JSON.stringify({ event: "x", objectId: "a\u0000b" }))),
  ).toEqual([413, 401]);
});
