import { beforeEach, describe, expect, test } from "vitest";
import { dollars } from "#lib/money.ts";
import type { SpendTransaction } from "#providers/issuer.ts";
import { withApp } from "#testing/app.ts";
import { withCardChores } from "#testing/card-chores.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import type { TestMerchant } from "../merchants/merchant.fixture.ts";
import type { Card } from "./card.ts";
import { aCard, aCardMerchant } from "./cards.fixture.ts";
import { getCard } from "./read-cards.ts";
import { recordTransaction } from "./record-transaction.ts";
import { listCardTransactions } from "./transactions.ts";

withDatabase();
withApp();
withCardChores();

let shop: TestMerchant;
let card: Card;

describe("spend that is told in an odd way", () => {
  beforeEach(async () => {
    shop = await aCardMerchant();
    card = await aCard(shop, { balance: 100 });
  });
  const tell = (type: SpendTransaction["type"], transactionReference: string, amount: number, relatedReference: string | null = null) =>
    recordTransaction(card, {
      transactionReference,
      type,
      amount: dollars(amount),
      relatedReference,
      merchant: { name: "Shop", categoryCode: null, city: null, country: null },
      declineReason: null,
      occurredAt: new Date(),
    });
  const balance = async () => (await getCard(shop.ctx, card.id)).balance;
  const statuses = async () =>
    (await listCardTransactions(shop.ctx, card.id, { limit: 10 })).items.map(({ type, status }) => `${type} ${status}`);

  test("a clearing that comes before its authorization takes the money once", async () => {
    await tell("CLEARING", "c1", 30, "a1");
    await tell("AUTHORIZATION", "a1", 40);
    expect(await balance()).toEqual(dollars(60));
    await tell("REVERSAL", "r1", 10, "a1");
    expect(await balance()).toEqual(dollars(70));
    await expectInvariantsToHold();
  });

  test("a reversal of more than is open gives back what is open, and nobody is credited by guess", async () => {
    await tell("AUTHORIZATION", "a1", 30);
    await tell("CLEARING", "c1", 20, "a1");
    await tell("REVERSAL", "r1", 30, "a1");
    expect(await balance()).toEqual(dollars(80));
    await tell("REVERSAL", "r2", 5, "of nothing that we know");
    expect(await balance()).toEqual(dollars(80));
    await tell("REVERSAL", "r3", 20, "c1");
    expect(await balance()).toEqual(dollars(100));
    expect(await statuses()).toContain("AUTHORIZATION COMPLETED");
    await expectInvariantsToHold();
  });

  test("clearings that follow each other belong to one authorization, and beyond it are taken on their own", async () => {
    await tell("AUTHORIZATION", "a1", 30);
    await tell("CLEARING", "c1", 20, "a1");
    await tell("CLEARING", "c2", 15, "c1");
    expect(await balance()).toEqual(dollars(65));
    await expectInvariantsToHold();
  });

  test("a look whether the card is alive, over nothing, is recorded and moves nothing", async () => {
    await tell("AUTHORIZATION", "a0", 0);
    await tell("CLEARING", "c0", 0, "a0");
    await tell("AUTHORIZATION", "a1", 1);
    expect(await balance()).toEqual(dollars(99));
    expect(await statuses()).toHaveLength(3);
    await expectInvariantsToHold();
  });

  test("an authorization that goes back as a whole was reversed", async () => {
    await tell("AUTHORIZATION", "a1", 30);
    await tell("REVERSAL", "r1", 10, "a1");
    expect(await statuses()).toEqual(["REVERSAL COMPLETED", "AUTHORIZATION PENDING"]);
    await tell("REVERSAL", "r2", 20, "a1");
    expect((await statuses()).at(-1)).toBe("AUTHORIZATION REVERSED");
    expect(await balance()).toEqual(dollars(100));
  });
});
