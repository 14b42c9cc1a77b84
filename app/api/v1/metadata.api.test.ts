import { beforeAll, describe, expect, test } from "vitest";
import { createApiKey } from "#services/api-keys/index.ts";
import { anApprovedCardholder } from "#services/cards/cards.fixture.ts";
import { byOperator, enableLiveAreas, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { aVtuMerchant } from "#services/vtu/vtu.fixture.ts";
import { type ApiAnswer, apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { type Api, keyed } from "./api.fixture.ts";
import { CREATE, statusOf, transferTo } from "./checkout/checkout-api.fixture.ts";
import { CARDS, HOLDERS, person } from "./virtual-cards/virtual-cards.fixture.ts";
import { airtimeBody, cableBody, dataBody, electricityBody, examBody, readProductIds, VTU } from "./vtu/vtu-api.fixture.ts";

withDatabase();
const app = withApp();
withCardSweeps();

let shop: TestMerchant;
let api: Api;
let cardholderId: number;
beforeAll(async () => {
  shop = await aVtuMerchant({ wallet: 5_000_000 });
  api = apiClient(app, shop.key);
  cardholderId = (await anApprovedCardholder(shop)).id;
  await readProductIds();
});

type Made = Record<string, string | number | object>;

interface Noun {
  path: string;
  /** Returns the body of a request for a new one, without metadata. */
  body: () => object;
  /** Returns the path that reads one. */
  at: (made: Made) => string;
  list: string;
  /** The field that names one. */
  id: "reference" | "id";
  event: string;
}

let people = 0;

const link: Noun = {
  path: CREATE,
  body: () => ({ amount: 5_000 }),
  at: ({ reference }) => statusOf(String(reference)),
  list: "/api/v1/checkout",
  id: "reference",
  event: "checkout.success",
};
const cardholder: Noun = {
  path: HOLDERS,
  body: () => ({ ...person, email: `metadata-${people++}@example.com` }),
  at: ({ id }) => `${HOLDERS}/${id}`,
  list: HOLDERS,
  id: "id",
  event: "cardholder.kyc_approved",
};
const card: Noun = {
  path: CARDS,
  body: () => ({ cardholder_id: cardholderId }),
  at: ({ id }) => `${CARDS}/${id}`,
  list: CARDS,
  id: "id",
  event: "card.issued",
};
const purchase = (service: string, body: () => object): Noun => ({
  path: `${VTU}/${service}`,
  body,
  at: ({ reference }) => `${VTU}/transaction/status?reference=${reference}`,
  list: `${VTU}/transactions`,
  id: "reference",
  event: "vtu.success",
});

const NOUNS: [string, Noun][] = [
  ["payment link", link],
  ["cardholder", cardholder],
  ["card", card],
  ["purchase of airtime", purchase("airtime", airtimeBody)],
  ["purchase of data", purchase("data", dataBody)],
  ["purchase of cable", purchase("cable", cableBody)],
  ["purchase of electricity", purchase("electricity", electricityBody)],
  ["purchase of exam pins", purchase("exam", examBody)],
];

/** Checkout answers at top level, and everything else in `data`. */
const madeBy = ({ body }: ApiAnswer): Made => body.data ?? body;
const idsIn = ({ body }: ApiAnswer, id: Noun["id"]): unknown[] => body.data.map((each: Made) => each[id]);

const valuesOf = (count: number, name: (n: number) => string, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), value]));

describe.each(NOUNS)("a %s", (name, noun) => {
  const create = async (metadata: object | null | undefined, client = api): Promise<Made> => {
    const answer = await client.post(noun.path, { ...noun.body(), metadata });
    expect([200, 201]).toContain(answer.status);
    return madeBy(answer);
  };
  /** Returns the data of the event about one, once it has come. */
  const eventAbout = (made: Made): Promise<Made> =>
    until(async () => {
      const { body } = await api.get("/api/v1/events?limit=100");
      return body.data.find(({ type, data }: { type: string; data: Made }) => type === noun.event && data[noun.id] === made[noun.id])?.data;
    });

  test("has its metadata in the answer, when it is read, in the list and in its event", async () => {
    const metadata = { order: name, "Größe 👩🏾‍🌾": '\'; drop table "purchases" --', empty: "", constructor: "x", "0": "[1]" };
    const made = await create(metadata);
    expect(made.metadata).toEqual(metadata);
    expect(madeBy(await api.get(noun.at(made))).metadata).toEqual(metadata);
    const listed = (await api.get(noun.list)).body.data.find((each: Made) => each[noun.id] === made[noun.id]);
    expect(listed.metadata).toEqual(metadata);
    if (noun === link) await api.post(transferTo(String(made.reference)));
    expect((await eventAbout(made)).metadata).toEqual(metadata);
  });

  test("has empty metadata if the request has none", async () => {
    const made = await create(undefined);
    expect(made.metadata).toEqual({});
    expect(madeBy(await api.get(noun.at(made))).metadata).toEqual({});
  });

  test("takes 20 values of 500 characters under names of 40", async () => {
    const metadata = valuesOf(20, (n) => String(n).padStart(40, "é"), "👍".repeat(500));
    expect((await create(metadata)).metadata).toEqual(metadata);
  });

  test.each([{ metadata: null }, { metadata: [] }, { metadata: {} }])("has empty metadata if the request has %j", async ({ metadata }) => {
    expect((await create(metadata)).metadata).toEqual({});
  });

  test.each<[string, unknown, string]>([
    ["21 values", valuesOf(21, (n) => `k${n}`, "v"), "metadata"],
    ["a value of 501 characters", { note: "x".repeat(501) }, "metadata.note"],
    ["a name of 41 characters", { ["n".repeat(41)]: "x" }, `metadata.${"n".repeat(41)}`],
    ["a number as value", { cart: 1 }, "metadata.cart"],
    ["an object as value", { cart: { a: "1" } }, "metadata.cart"],
    ["null as value", { cart: null }, "metadata.cart"],
    ["a NUL in a value", { cart: "a\u0000" }, "metadata.cart"],
    ["a list", ["a"], "metadata"],
  ])("with %s as metadata is refused, and the answer names the field", async (_what, metadata, param) => {
    const answer = await api.post(noun.path, { ...noun.body(), metadata });
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe(param);
  });

  test("is made once by five requests at once with one key, a replay has its metadata, and other metadata is another body", async () => {
    const body = { ...noun.body(), metadata: { order: `five ${name}` } };
    const answers = await Promise.all(times(5, () => api.post(noun.path, body, keyed("five"))));
    for (const answer of answers) if (answer.status >= 300) expectError(answer, "REQUEST_IN_PROGRESS", "unknown");
    const made = answers.filter(({ status }) => status < 300).map(madeBy);
    const replay = await api.post(noun.path, body, keyed("five"));
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(new Set([...made, madeBy(replay)].map((each) => each[noun.id])).size).toBe(1);
    for (const each of [...made, madeBy(replay)]) expect(each.metadata).toEqual(body.metadata);
    const listed = (await api.get(`${noun.list}?limit=100`)).body.data;
    expect(listed.filter(({ metadata }: { metadata: object }) => JSON.stringify(metadata).includes(`five ${name}`))).toHaveLength(1);
    for (const metadata of [{ order: "other" }, { ...body.metadata, more: "" }, {}, undefined]) {
      expectError(await api.post(noun.path, { ...body, metadata }, keyed("five")), "IDEMPOTENCY_KEY_REUSED");
    }
  });

  test("the resource and its metadata are not found by another merchant or in live mode", async () => {
    const made = await create({ order: "mine" });
    const stranger = apiClient(app, (await aVtuMerchant({ wallet: 0 })).key);
    await enableLiveAreas(shop.liveMerchantId, "checkout", "cards", "vtu");
    const live = apiClient(app, await createApiKey(byOperator(shop.liveCtx), { name: "Live" }));
    for (const client of [stranger, live]) {
      expectError(await client.get(noun.at(made)), "RESOURCE_NOT_FOUND");
      expect(idsIn(await client.get(noun.list), noun.id)).toEqual([]);
    }
    expect(idsIn(await api.get(noun.list), noun.id)).toContain(made[noun.id]);
  });
});

test("a second request with the email of a cardholder answers 200 with that cardholder, whose metadata stays as it was", async () => {
  const fields = { ...person, email: "same@example.com" };
  const first = madeBy(await api.post(HOLDERS, { ...fields, metadata: { order: "1" } }));
  for (const metadata of [{ order: "2" }, { more: "3" }, undefined]) {
    const again = await api.post(HOLDERS, { ...fields, metadata });
    expect({ status: again.status, ...madeBy(again) }).toMatchObject({ status: 200, id: first.id, metadata: { order: "1" } });
  }
  expect(madeBy(await api.get(`${HOLDERS}/${first.id}`)).metadata).toEqual({ order: "1" });
});

test("other metadata makes no other purchase of the same order, and changes no price", async () => {
  const order = { ...airtimeBody(), expected_price: 100 };
  expect((await api.post(`${VTU}/airtime`, { ...order, metadata: { order: "1" } })).status).toBe(200);
  expectError(await api.post(`${VTU}/airtime`, { ...order, metadata: { order: "2" } }), "DUPLICATE_PURCHASE");
  expectError(await api.post(`${VTU}/airtime`, { ...airtimeBody(), expected_price: 99, metadata: { order: "3" } }), "PRICE_CHANGED");
});

test.each([HOLDERS, CARDS])("metadata of %s takes no card number, as a value or as a name", async (path) => {
  const body = path === HOLDERS ? person : { cardholder_id: 1 };
  for (const metadata of [{ pan: "4242 4242 4242 4242" }, { "4242424242424242": "x" }]) {
    const answer = await api.post(path, { ...body, metadata });
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe("metadata");
  }
});
