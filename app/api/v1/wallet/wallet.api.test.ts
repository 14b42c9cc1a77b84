import { beforeAll, expect, test } from "vitest";
import { dollars } from "#lib/money.ts";
import { aCard, anApprovedCardholder, settled } from "#services/cards/cards.fixture.ts";
import { fundCard, unloadCard } from "#services/cards/index.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { readListOf } from "#services/vtu/vtu.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { withVtuSweeps } from "#testing/vtu-sweeps.ts";
import type { Api } from "../api.fixture.ts";
import { create, statusOf, transferTo } from "../checkout/checkout-api.fixture.ts";

withDatabase();
const app = withApp();
withCardSweeps();
withVtuSweeps();

const HISTORY = "/api/v1/wallet/transactions";

interface Row {
  type: string;
  direction: string;
  amount: number;
  reference: string | null;
  related: { type: string; id: string; reference: string | null } | null;
  created_at: string;
}

let shop: TestMerchant;
let api: Api;
const history = async (query = ""): Promise<Row[]> => (await api.get(`${HISTORY}?limit=100&${query}`)).body.data;

/** What moved the wallet, oldest first. */
const made: Pick<Row, "type" | "direction" | "related">[] = [];

beforeAll(async () => {
  shop = await aMerchant();
  api = apiClient(app, shop.key);
  const { reference } = await create(api, { amount: 1_000_000 });
  await api.post(transferTo(reference), {});
  await until(async () => (await api.get(statusOf(reference))).body.status === "success");
  const { order_no: orderNo } = (await api.get(statusOf(reference))).body;
  made.push({ type: "payment_link", direction: "credit", related: { type: "payment_link", id: `pl_${orderNo}`, reference } });
  const card = await aCard(shop, { cardholder: await anApprovedCardholder(shop) });
  const funded = await settled(await fundCard(shop.ctx, card.id, { amount: dollars(20) }));
  made.push({ type: "card_fund", direction: "debit", related: { type: "card_operation", id: funded.id, reference: funded.reference } });
  const unloaded = await settled(await unloadCard(shop.ctx, card.id, { amount: dollars(5) }));
  made.push({
    type: "card_unload",
    direction: "credit",
    related: { type: "card_operation", id: unloaded.id, reference: unloaded.reference },
  });
  await readListOf("sandbox");
  const bought = (await api.post("/api/v1/vtu/airtime", { network: "mtn", phone: "08031234567", amount: 500 })).body.data;
  made.push({ type: "vtu_airtime", direction: "debit", related: { type: "purchase", id: bought.reference, reference: bought.reference } });
  await terminateWithRefund(card.id);
}, 60_000);

/** Terminates a card, whose balance goes to the wallet, and lets a shop refund it afterwards. */
async function terminateWithRefund(cardId: string): Promise<void> {
  expect((await api.post(`/api/v1/virtual-cards/${cardId}/terminate`, {})).status).toBe(200);
  const [ended] = await until(async () => {
    const rows = await history("type=card_terminate");
    return rows.length > 0 && rows;
  });
  made.push({ type: "card_terminate", direction: "credit", related: expect.objectContaining({ type: "card_operation" }) });
  expect(ended?.related?.id).toMatch(/^cop_/);
  const refund = { type: "REFUND", amount: 2, merchant_name: "Ikeja Supermarket" };
  const { data } = (await api.post(`/api/v1/test/virtual-cards/${cardId}/transactions`, refund)).body;
  await until(async () => (await history("type=card_refund")).length > 0);
  made.push({ type: "card_refund", direction: "credit", related: { type: "card_transaction", id: data.id, reference: null } });
}

const shown = (rows: Row[]) => rows.map(({ type, direction, related }) => ({ type, direction, related }));

test("each row names the thing that moved the money", async () => {
  expect(shown(await history())).toEqual(made.toReversed());
  await expectInvariantsToHold();
});

test("the history is filtered by type, direction and time, also together", async () => {
  const of = (...types: string[]) => made.filter(({ type }) => types.includes(type)).toReversed();
  expect(shown(await history("type=card_fund"))).toEqual(of("card_fund"));
  expect(shown(await history("direction=credit"))).toEqual(of("payment_link", "card_unload", "card_terminate", "card_refund"));
  expect(shown(await history("direction=debit&type=card_unload"))).toEqual([]);
  const funding = (await history("type=card_fund"))[0]?.created_at ?? "";
  expect(shown(await history(`created_after=${funding}`))).toEqual(made.slice(1).toReversed());
  expect(shown(await history(`created_before=${funding}`))).toEqual(of("payment_link"));
  expect(shown(await history(`created_after=${funding}&direction=credit`))).toEqual(of("card_unload", "card_terminate", "card_refund"));
});

test("pages of the history follow each other without a gap, and a cursor of another merchant is refused", async () => {
  const first = (await api.get(`${HISTORY}?limit=4`)).body;
  expect(first.pagination).toMatchObject({ has_more: true });
  const rest = (await api.get(`${HISTORY}?limit=4&cursor=${first.pagination.next_cursor}`)).body;
  expect(shown([...first.data, ...rest.data])).toEqual(made.toReversed());
  expect(rest.pagination).toEqual({ next_cursor: null, has_more: false });
  const other = apiClient(app, (await aMerchant()).key);
  expectError(await other.get(`${HISTORY}?cursor=${first.pagination.next_cursor}`), "VALIDATION_ERROR");
  expect((await other.get(HISTORY)).body.data).toEqual([]);
});

test.each(["direction=up", `type=${"x".repeat(51)}`, "created_after=yesterday", "created_before=1"])(
  "the filter %s is refused",
  async (query) => {
    expectError(await api.get(`${HISTORY}?${query}`), "VALIDATION_ERROR");
  },
);
