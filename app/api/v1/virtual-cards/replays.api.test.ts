import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { dollars } from "#lib/money.ts";
import { aCard, aCardMerchant, ISSUERS, orderFault, settled, type TestCard } from "#services/cards/cards.fixture.ts";
import { fundCard } from "#services/cards/index.ts";
import { fundingCost, major } from "#services/cards/prices/prices.fixture.ts";
import type { TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { type Api, keyed } from "../api.fixture.ts";
import { CARDS, simulatorOf } from "./virtual-cards.fixture.ts";

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
    card = await aCard(shop, { balance: 50 });
  });
  const cardNow = async (id = card.id) => (await api.get(`${CARDS}/${id}`)).body.data;
  const becomes = (id: string, status: string) => until(async () => (await cardNow(id)).status === status);
  const walletNow = async () => (await api.get("/api/v1/wallet")).body.data.balance;

  test("issuing five times at once with one key issues one card, and a replay returns the card as it is now", async () => {
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

  test("funding five times at once with one key charges once, and a replay returns the same operation", async () => {
    const before = await walletNow();
    const cost = major(fundingCost(5));
    const send = () => api.post(`${CARDS}/${card.id}/fund`, { amount: 5 }, keyed("fund"));
    const answers = await Promise.all(times(5, send));
    const made = answers.filter(({ status }) => status < 300);
    for (const answer of answers) if (answer.status >= 300) expectError(answer, "REQUEST_IN_PROGRESS", "unknown");
    const ids = [...new Set(made.map(({ body }) => body.data.id))];
    expect(ids).toHaveLength(1);
    await settled({ merchantId: shop.merchant.id, id: ids[0] });
    const replay = await send();
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(replay.body.data).toMatchObject({ id: ids[0], status: "completed", wallet_amount: cost });
    expect(replay.status).toBe(made[0]?.status);
    expect(await walletNow()).toBe(before - cost);
  });

  test("a funding whose outcome is unknown is answered with 202, and a replay returns its final state with the same status", async () => {
    await orderFault(issuer, "fund", "error_after", card);
    const send = () => api.post(`${CARDS}/${card.id}/fund`, { amount: 5 }, keyed("unknown"));
    const first = await send();
    expect({ status: first.status, state: first.body.data.status }).toEqual({ status: 202, state: "processing" });
    await settled({ merchantId: shop.merchant.id, id: first.body.data.id });
    const replay = await send();
    expect({ status: replay.status, id: replay.body.data.id, state: replay.body.data.status }).toEqual({
      status: 202,
      id: first.body.data.id,
      state: "completed",
    });
  });

  test("a funding whose process died after the claim is finished by a replay, and is not made twice", async () => {
    const send = () => api.post(`${CARDS}/${card.id}/fund`, { amount: 6 }, keyed("died"));
    const first = await send();
    await settled({ merchantId: shop.merchant.id, id: first.body.data.id });
    await sql()`
      update idempotency_keys set state = 'running', status = null, locked_until = now() - interval '1 s'
      where key = 'died' and merchant_id = ${shop.merchant.id}`;
    const again = await send();
    expect(again.body.data).toMatchObject({ id: first.body.data.id, status: "completed" });
    const [row] = await sql()<{ made: number }[]>`
      select count(*)::int as made from card_operations where merchant_id = ${shop.merchant.id} and amount = ${String(dollars(6).minor)}::text::bigint`;
    expect(row?.made).toBe(1);
  });

  test("a freeze whose first attempt died and that the issuer then refused can be retried with its key", async () => {
    const frozen = await aCard(shop);
    const send = () => api.post(`${CARDS}/${frozen.id}/freeze`, {}, keyed("resumed"));
    await orderFault(issuer, "freeze", "error_before", frozen);
    expect((await send()).status).toBe(202);
    await sql()`
      update card_operations set status = 'failed', failure_reason = 'The card issuer refused it.', completed_at = now(), next_attempt_at = null
      where card_id = ${frozen.id} and type = 'freeze'`;
    await sql()`update idempotency_keys set state = 'unknown', status = null where key = 'resumed' and merchant_id = ${shop.merchant.id}`;
    expectError(await send(), "PROVIDER_ERROR", "not_executed");
    expect((await send()).status).toBeLessThan(300);
    await becomes(frozen.id, "FROZEN");
  });

  test("a shop's charge that the test issuer did not answer is unknown, and a replay finishes it once", async () => {
    const charged = await aCard(shop, { balance: 20 });
    const send = () => api.post(simulatorOf(charged.id), { amount: 3, merchant_name: "Shop" }, keyed("unanswered-charge"));
    await orderFault(issuer, "spend", "error_after", charged);
    expectError(await send(), "PROVIDER_ERROR", "unknown");
    expect((await send()).body.data).toMatchObject({ type: "AUTHORIZATION", amount: 3 });
    expect((await api.get(`${CARDS}/${charged.id}/transactions`)).body.data).toHaveLength(1);
  });

  test("a shop's charge that the test issuer took and did not list is executed, and a replay shows it", async () => {
    const charged = await aCard(shop, { balance: 20 });
    const send = () => api.post(simulatorOf(charged.id), { amount: 3, merchant_name: "Shop" }, keyed("unlisted-charge"));
    // The issuer's notice makes us read the list, and so do the request and sweeps. Each fault fails one of these reads.
    await Promise.all(times(20, () => orderFault(issuer, "list-transactions", "error_before", charged)));
    expectError(await send(), "PROVIDER_ERROR", "executed");
    await sql()`delete from sandbox.provider_faults`;
    expect((await send()).body.data).toMatchObject({ type: "AUTHORIZATION", amount: 3 });
    expect((await api.get(`${CARDS}/${charged.id}/transactions`)).body.data).toHaveLength(1);
  });

  test("an idempotency key applies to every spelling of a path", async () => {
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
    for (const id of ids) await settled({ merchantId: shop.merchant.id, id });
  });

  test("a simulated authorization sent five times at once with one key is made once, and the card pays once", async () => {
    const { balance } = await cardNow();
    const send = () => api.post(simulatorOf(card.id), { amount: 2, merchant_name: "Shop" }, keyed("shop"));
    const answers = (await Promise.all(times(5, send))).filter(({ status }) => status === 201);
    const replay = await send();
    expect(new Set([...answers, replay].map(({ body }) => body.data.id)).size).toBe(1);
    expect((await cardNow()).balance).toBe(balance - 2);
    expect((await api.post(simulatorOf(card.id), { type: "DECLINE", amount: 2, merchant_name: "Shop" })).body.data.decline_reason).toBe(
      "do_not_honor",
    );
  });

  test("the ledger breaks no invariant after all these requests", async () => {
    await fundCard(shop.ctx, card.id, { amount: dollars(1) });
    await expectInvariantsToHold();
  });
});
