import { expect, test } from "vitest";
import { dollars } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";
import { aCard, aCardMerchant, orderFault } from "../cards.fixture.ts";
import { changeCard } from "../operations/freeze-and-terminate.ts";
import { simulateSpend } from "../sync/simulate-spend.ts";
import { getCardWithHolder } from "./read-card-with-holder.ts";

withDatabase();
withApp();
withCardSweeps();

test("a card's page shows its cardholder, and the authorised amount beside the available one", async () => {
  const shop = await aCardMerchant();
  const { id } = await aCard(shop, { balance: 50 });
  await simulateSpend(shop.ctx, id, { type: "AUTHORIZATION", amount: dollars(8.8), merchant_name: "Ikeja Supermarket" });
  expect(await getCardWithHolder(shop.ctx, id)).toMatchObject({
    ...{ id, balance: dollars(41.2), held: dollars(8.8), isEnding: false, isBlocked: false },
    cardholder: { firstName: "Ngozi", lastName: "Eze" },
  });
});

test("another merchant's card, and one that does not exist, are not found", async () => {
  const [shop, other] = [await aCardMerchant(), await aCardMerchant()];
  const { id } = await aCard(shop);
  for (const asked of [id, "card_nowhere"]) {
    await expect(getCardWithHolder(other.ctx, asked)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
  }
});

test("a card whose issuer has not confirmed its termination is about to end", async () => {
  const shop = await aCardMerchant();
  const card = await aCard(shop);
  await orderFault("sandbox", "close", "hang_before", card);
  await changeCard(shop.ctx, card.id, "terminate");
  expect(await getCardWithHolder(shop.ctx, card.id)).toMatchObject({ isEnding: true, status: "ACTIVE" });
});
