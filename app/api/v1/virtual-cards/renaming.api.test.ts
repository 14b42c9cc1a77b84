import { beforeAll, expect, test } from "vitest";
import { aCard, aCardMerchant, type TestCard } from "#services/cards/cards.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import type { Api } from "../api.fixture.ts";
import { CARDS, fieldOf } from "./virtual-cards.fixture.ts";

withDatabase();
const app = withApp();
withCardSweeps();

let api: Api;
let card: TestCard;
beforeAll(async () => {
  const shop = await aCardMerchant();
  api = apiClient(app, shop.key);
  card = await aCard(shop);
});
const rename = (nickname: unknown) => api.patch(`${CARDS}/${card.id}`, { nickname });
const nicknameNow = async () => (await api.get(`${CARDS}/${card.id}`)).body.data.nickname;

test("a card gets another nickname, or none, and five renames at once leave one of theirs", async () => {
  expect((await rename(" Ads ")).body.data).toMatchObject({ id: card.id, nickname: "Ads", status: "ACTIVE" });
  expect(await nicknameNow()).toBe("Ads");
  const names = ["A", "B", "C", "D", "E"];
  const answers = await Promise.all(times(5, (n) => rename(names[n])));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(names).toContain(await nicknameNow());
  expect((await rename(null)).body.data.nickname).toBeNull();
  await rename("Ads");
  expect((await rename("  ")).body.data.nickname).toBeNull();
});

test.each([
  ["a card number", { nickname: "4242 4242 4242 4242" }, "nickname"],
  ["51 characters", { nickname: "x".repeat(51) }, "nickname"],
  ["a number", { nickname: 1 }, "nickname"],
  ["no nickname", {}, "nickname"],
  ["another field", { nickname: "Ads", status: "FROZEN" }, "status"],
])("%s is refused by name, and changes nothing", async (_name, body, field) => {
  await rename("Kept");
  const refused = await api.patch(`${CARDS}/${card.id}`, body);
  expectError(refused, "VALIDATION_ERROR");
  expect(fieldOf(refused)).toBe(field);
  expect(await nicknameNow()).toBe("Kept");
});

test("a terminated card keeps its nickname", async () => {
  await rename("Last");
  await api.post(`${CARDS}/${card.id}/terminate`);
  await until(async () => (await api.get(`${CARDS}/${card.id}`)).body.data.status === "TERMINATED");
  expectError(await rename("After"), "CARD_TERMINATED");
  expect(await nicknameNow()).toBe("Last");
});
