import { describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { aCardMerchant, ISSUERS, type IssuerName } from "#services/cards/cards.fixture.ts";
import { compareCards } from "#services/cards/index.ts";
import { systemContext } from "#services/context.ts";
import { apiClient } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";

withDatabase();
const app = withApp();
withCardSweeps();

const CARDS = "/api/v1/virtual-cards";

/** A merchant's server, which knows nothing of whoever stands behind the cards: it acts, and waits where it is told to. */
async function aServer(issuer: IssuerName) {
  const shop = await aCardMerchant({ issuer, wallet: 1_000_000 });
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
    approved: async (fields: Record<string, unknown> = {}) => {
      const { body } = await api.post(`${CARDS}/cardholders`, {
        first_name: "Ngozi",
        last_name: "Eze",
        email: "ngozi@example.com",
        ...fields,
      });
      return until(async () => {
        const { data } = (await api.get(`${CARDS}/cardholders/${body.data.id}`)).body;
        return data.kyc_status !== "PENDING" && data;
      }, 20_000);
    },
    issued: async (fields: Record<string, unknown>) => {
      const answer = await api.post(CARDS, fields);
      expect(answer.status).toBe(201);
      return cardWhen(answer.body.data.id, "ACTIVE");
    },
    /** Funds or unloads, waits for the event, and answers the operation that it brings. */
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
      const answer = await api.post(`/api/v1/test/virtual-cards/${id}/transactions`, { merchant_name: "Ikeja Supermarket", ...body });
      expect(answer.status).toBe(201);
      return answer.body.data;
    },
  };
}

describe.each(ISSUERS)("at the issuer %s", (issuer) => {
  test("a card lives from its cardholder's approval to its termination, and wallet and card are right to the kobo and the cent", async () => {
    const server = await aServer(issuer);
    const { card, wallet, moved, changed, spent } = server;
    const holder = await server.approved({ phone: "0803 123 4567" });
    expect(holder).toMatchObject({ kyc_status: "APPROVED", kyc_rejection_reason: null, phone: "+2348031234567" });
    const visa = await server.issued({ cardholder_id: holder.id, nickname: "Ads" });
    const mastercard = await server.issued({ cardholder_id: holder.id, brand: "MASTERCARD" });
    expect(visa).toMatchObject({ brand: "VISA", nickname: "Ads", currency: "USD", balance: 0, terminated_at: null });
    expect(visa.masked_pan).toBe(`**** **** **** ${visa.last4}`);
    expect(mastercard).toMatchObject({ brand: "MASTERCARD", nickname: null, status: "ACTIVE" });

    // ($100 + 1%) × 1,600 = ₦161,600.
    const fund = await moved(visa.id, "fund", { amount: 100, max_exchange_rate: 1_600 });
    expect(fund).toMatchObject({ type: "fund", status: "completed", amount: 100, fee: 1, total: 101, exchange_rate: 1_600 });
    expect(fund).toMatchObject({ wallet_amount: 161_600, wallet_currency: "NGN", currency: "USD", card_id: visa.id, card_balance: 100 });
    expect(await wallet()).toMatchObject({ balance: 838_400, available: 838_400, held: 0 });

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
    expect((await wallet()).balance).toBe(838_400);

    // $25.25 × 1,500 = ₦37,875.
    const unload = await moved(visa.id, "unload", { amount: 25.25 });
    expect(unload).toMatchObject({ type: "unload", amount: 25.25, fee: 0, total: 25.25, wallet_amount: 37_875, card_balance: 60 });
    expect((await wallet()).balance).toBe(876_275);

    await changed(visa.id, "freeze", "FROZEN");
    expect(await spent(visa.id, { amount: 1 })).toMatchObject({ type: "DECLINE", decline_reason: "card_frozen" });
    expect(await spent(visa.id, { type: "REFUND", amount: 1 })).toMatchObject({ type: "REFUND", direction: "credit" });
    await changed(visa.id, "unfreeze", "ACTIVE");
    const open = await spent(visa.id, { amount: 11 });

    // $50 of $61 are free: × 1,500 = ₦75,000. The other $11 are authorized, and come back later.
    const terminated = await changed(visa.id, "terminate", "TERMINATED");
    expect(terminated).toMatchObject({ balance: 0 });
    expect(terminated.terminated_at).not.toBeNull();
    expect((await wallet()).balance).toBe(951_275);
    await spent(visa.id, { type: "CLEARING", amount: 4, related_transaction_id: open.id });
    expect((await wallet()).balance).toBe(951_275);
    await spent(visa.id, { type: "REVERSAL", amount: 7, related_transaction_id: open.id });
    expect((await wallet()).balance).toBe(961_775);
    await spent(visa.id, { type: "REFUND", amount: 2, related_transaction_id: open.id });
    expect((await wallet()).balance).toBe(964_775);
    // A charge that nobody authorized, after the end: the wallet pays it, at 1,600.
    await spent(visa.id, { type: "CLEARING", amount: 3 });
    expect((await wallet()).balance).toBe(959_975);
    expect((await card(visa.id)).balance).toBe(0);

    const { data: spend } = (await server.api.get(`${CARDS}/${visa.id}/transactions?limit=100`)).body;
    expect(spend).toHaveLength(13);
    expect(spend.at(-1)).toEqual({ ...authorization, status: "COMPLETED" });
    expect(await server.eventsOf("card.transaction")).toHaveLength(13);
    const counts = await Promise.all(
      ["card.issued", "card.frozen", "card.unfrozen", "card.terminated"].map(async (type) => (await server.eventsOf(type)).length),
    );
    expect(counts).toEqual([2, 1, 1, 1]);
    const comparison = await compareCards(systemContext("test"), server.shop.merchant.id);
    expect(comparison.differences).toEqual([]);
    await expectInvariantsToHold();
  });

  test("an identity that is rejected says why, and one that stays pending can be asked for again", async () => {
    const server = await aServer(issuer);
    const rejected = await server.approved({ email: "someone+rejected@example.com" });
    expect(rejected).toMatchObject({ kyc_status: "REJECTED", kyc_rejection_reason: "The identity could not be confirmed." });
    const { status, body } = await server.api.post(`${CARDS}/cardholders`, {
      first_name: "A",
      last_name: "B",
      email: "x+pending@example.com",
    });
    expect({ status, kyc: body.data.kyc_status }).toEqual({ status: 201, kyc: "PENDING" });
    const again = await server.api.post(`${CARDS}/cardholders`, { first_name: "C", last_name: "D", email: "X+Pending@Example.com" });
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual(body.data);
    expect(await server.eventsOf("cardholder.kyc_rejected")).toHaveLength(1);
  });

  test("the books of cards agree with the ledger", async () => {
    const [row] = await sql()`select count(*)::int as cards from ledger_accounts where account like 'card:%'`;
    expect(row?.cards).toBeGreaterThan(0);
    await expectInvariantsToHold();
  });
});
