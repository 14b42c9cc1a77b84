import { describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { aCardMerchant, ISSUERS, type IssuerName } from "#services/cards/cards.fixture.ts";
import { FUND_RATE, fundingCost, fundingFee, major, shortfallCost, unloadWorth } from "#services/cards/prices/prices.fixture.ts";
import { expectBooksToAgree } from "#services/cards/spend/books.fixture.ts";
import { apiClient } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { CARDS, HOLDERS, person, simulatorOf } from "./virtual-cards.fixture.ts";

withDatabase();
const app = withApp();
withCardSweeps();

/** Naira in the wallet at the start. */
const START = 1_000_000;

/** Plays a merchant's server: it calls the API only, whatever the issuer, and waits where the API says that a request is processing. */
async function aServer(issuer: IssuerName) {
  const shop = await aCardMerchant({ issuer, wallet: START });
  const api = apiClient(app, shop.key);
  const card = async (id: string) => (await api.get(`${CARDS}/${id}`)).body.data;
  const wallet = async () => (await api.get("/api/v1/wallet")).body.data;
  const cardWhen = (id: string, status: string) => until(async () => (await card(id)).status === status && (await card(id)), 20_000);
  const eventsOf = async (type: string) =>
    (await api.get("/api/v1/events?limit=100")).body.data.filter((each: { type: string }) => each.type === type);
  return {
    shop,
    api,
    card,
    wallet,
    eventsOf,
    decided: async (fields: Record<string, unknown> = {}) => {
      const { body } = await api.post(HOLDERS, { ...person, ...fields });
      return until(async () => {
        const { data } = (await api.get(`${HOLDERS}/${body.data.id}`)).body;
        return data.kyc_status !== "PENDING" && data;
      }, 20_000);
    },
    issued: async (fields: Record<string, unknown>) => {
      const answer = await api.post(CARDS, fields);
      expect(answer.status).toBe(201);
      return cardWhen(answer.body.data.id, "ACTIVE");
    },
    /** Funds or unloads a card, waits for the event, and returns the operation in it. */
    moved: async (id: string, verb: "fund" | "unload", body: Record<string, unknown>) => {
      const answer = await api.post(`${CARDS}/${id}/${verb}`, body);
      expect([200, 202]).toContain(answer.status);
      expect(answer.body.data.status).toBe(answer.status === 202 ? "processing" : "completed");
      const type = verb === "fund" ? "card.funded" : "card.unloaded";
      return until(async () => {
        const events = await eventsOf(type);
        return events.find(({ data }: { data: { id: string } }) => data.id === answer.body.data.id)?.data;
      }, 20_000);
    },
    changed: async (id: string, verb: "freeze" | "unfreeze" | "terminate", status: string) => {
      const answer = await api.post(`${CARDS}/${id}/${verb}`);
      expect([200, 202]).toContain(answer.status);
      return cardWhen(id, status);
    },
    spent: async (id: string, body: Record<string, unknown>) => {
      const answer = await api.post(simulatorOf(id), { merchant_name: "Ikeja Supermarket", ...body });
      expect(answer.status).toBe(201);
      return answer.body.data;
    },
  };
}

describe.each(ISSUERS)("at the issuer %s", (issuer) => {
  test("from its cardholder's approval to its termination, a card and its wallet have the right balances to the cent and the kobo", async () => {
    const server = await aServer(issuer);
    const { card, wallet, moved, changed, spent } = server;
    const holder = await server.decided({ phone: "0803 123 4567" });
    expect(holder).toMatchObject({ kyc_status: "APPROVED", kyc_rejection_reason: null, phone: "+2348031234567" });
    const visa = await server.issued({ cardholder_id: holder.id, nickname: "Ads" });
    const mastercard = await server.issued({ cardholder_id: holder.id, brand: "MASTERCARD" });
    expect(visa).toMatchObject({ brand: "VISA", nickname: "Ads", currency: "USD", balance: 0, terminated_at: null });
    expect(visa.masked_pan).toBe(`**** **** **** ${visa.last4}`);
    expect(mastercard).toMatchObject({ brand: "MASTERCARD", nickname: null, status: "ACTIVE" });

    const rate = Number(FUND_RATE);
    const fund = await moved(visa.id, "fund", { amount: 100, max_exchange_rate: rate });
    const fee = major(fundingFee(100));
    expect(fund).toMatchObject({ type: "fund", status: "completed", amount: 100, fee, total: 100 + fee, exchange_rate: rate });
    const cost = major(fundingCost(100));
    expect(fund).toMatchObject({ wallet_amount: cost, wallet_currency: "NGN", currency: "USD", card_id: visa.id, card_balance: 100 });
    let balance = START - cost;
    expect(await wallet()).toMatchObject({ balance, available: balance, held: 0 });

    const authorization = await spent(visa.id, { amount: 30 });
    expect(authorization).toMatchObject({ type: "AUTHORIZATION", status: "PENDING", amount: 30, direction: "debit", currency: "USD" });
    expect((await card(visa.id)).balance).toBe(70);
    await spent(visa.id, { type: "CLEARING", amount: 20, related_transaction_id: authorization.id });
    expect((await card(visa.id)).balance).toBe(70);
    await spent(visa.id, { type: "REVERSAL", amount: 10, related_transaction_id: authorization.id });
    expect((await card(visa.id)).balance).toBe(80);
    const declined = await spent(visa.id, { amount: 80.01 });
    expect(declined).toMatchObject({ type: "DECLINE", status: "DECLINED", decline_reason: "insufficient_funds" });
    await spent(visa.id, { type: "REFUND", amount: 5.5, related_transaction_id: authorization.id });
    await spent(visa.id, { type: "FEE", amount: 0.25 });
    expect((await card(visa.id)).balance).toBe(85.25);
    expect((await wallet()).balance).toBe(balance);

    const unload = await moved(visa.id, "unload", { amount: 25.25 });
    const worth = major(unloadWorth(25.25));
    expect(unload).toMatchObject({ type: "unload", amount: 25.25, fee: 0, total: 25.25, wallet_amount: worth, card_balance: 60 });
    balance += worth;
    expect((await wallet()).balance).toBe(balance);

    await changed(visa.id, "freeze", "FROZEN");
    expect(await spent(visa.id, { amount: 1 })).toMatchObject({ type: "DECLINE", decline_reason: "card_frozen" });
    expect(await spent(visa.id, { type: "REFUND", amount: 1 })).toMatchObject({ type: "REFUND", direction: "credit" });
    await changed(visa.id, "unfreeze", "ACTIVE");
    const open = await spent(visa.id, { amount: 11 });

    // The card has $60 and a refund of $1. An authorization holds $11 of them, which cannot be returned yet.
    const terminated = await changed(visa.id, "terminate", "TERMINATED");
    expect(terminated).toMatchObject({ balance: 0 });
    expect(terminated.terminated_at).not.toBeNull();
    balance += major(unloadWorth(60 + 1 - 11));
    expect((await wallet()).balance).toBe(balance);
    await spent(visa.id, { type: "CLEARING", amount: 4, related_transaction_id: open.id });
    expect((await wallet()).balance).toBe(balance);
    await spent(visa.id, { type: "REVERSAL", amount: 7, related_transaction_id: open.id });
    balance += major(unloadWorth(7));
    expect((await wallet()).balance).toBe(balance);
    await spent(visa.id, { type: "REFUND", amount: 2, related_transaction_id: open.id });
    balance += major(unloadWorth(2));
    expect((await wallet()).balance).toBe(balance);
    // The wallet pays for a clearing without an authorization after the end.
    await spent(visa.id, { type: "CLEARING", amount: 3 });
    balance -= major(shortfallCost(3));
    expect((await wallet()).balance).toBe(balance);
    expect((await card(visa.id)).balance).toBe(0);

    const { data: spend } = (await server.api.get(`${CARDS}/${visa.id}/transactions?limit=100`)).body;
    expect(spend).toHaveLength(13);
    expect(spend.at(-1)).toEqual({ ...authorization, status: "COMPLETED" });
    expect(await server.eventsOf("card.transaction")).toHaveLength(13);
    const counts = await Promise.all(
      ["card.issued", "card.frozen", "card.unfrozen", "card.terminated"].map(async (type) => (await server.eventsOf(type)).length),
    );
    expect(counts).toEqual([2, 1, 1, 1]);
    await expectBooksToAgree(server.shop);
  });

  test("a rejected cardholder has a reason, and creating a pending cardholder again returns the first one", async () => {
    const server = await aServer(issuer);
    const rejected = await server.decided({ email: "someone+rejected@example.com" });
    expect(rejected).toMatchObject({ kyc_status: "REJECTED", kyc_rejection_reason: "The identity could not be confirmed." });
    const { status, body } = await server.api.post(HOLDERS, {
      first_name: "A",
      last_name: "B",
      email: "x+pending@example.com",
    });
    expect({ status, kyc: body.data.kyc_status }).toEqual({ status: 201, kyc: "PENDING" });
    const again = await server.api.post(HOLDERS, { first_name: "C", last_name: "D", email: "X+Pending@Example.com" });
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual(body.data);
    expect(await server.eventsOf("cardholder.kyc_rejected")).toHaveLength(1);
  });

  test("the cards have ledger accounts, and the ledger breaks no invariant", async () => {
    const [row] = await sql()`select count(*)::int as cards from ledger_accounts where account like 'card:%'`;
    expect(row?.cards).toBeGreaterThan(0);
    await expectInvariantsToHold();
  });
});
