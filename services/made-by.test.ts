import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { newId, newReference } from "#lib/ids.ts";
import { dollars } from "#lib/money.ts";
import { newLinkReference, newPurchaseId } from "#lib/references.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import {
  aCard,
  anApprovedCardholder,
  latestOperation,
  orderFault,
  readTestCard,
  type TestCard,
  tellIssuerAbout,
} from "./cards/cards.fixture.ts";
import { changeCard, createCardholder, fundCard, getCard, getCardholder, getOperation, issueCard } from "./cards/index.ts";
import { aLink } from "./checkout/checkout.fixture.ts";
import { getLinkByReference } from "./checkout/index.ts";
import { type Actor, type MerchantContext, madeBy } from "./context.ts";
import type { TestMerchant } from "./merchants/merchant.fixture.ts";
import { buyProduct, getPurchase } from "./vtu/index.ts";
import { airtime, aPhone, aVtuMerchant, orderVtuFault } from "./vtu/vtu.fixture.ts";

withDatabase();
withApp();
withCardSweeps();

let shop: TestMerchant;
let card: TestCard;
let holderId = 0;
beforeAll(async () => {
  shop = await aVtuMerchant();
  holderId = (await anApprovedCardholder(shop)).id;
  card = await aCard(shop);
});

const by = (type: Actor["type"], id: string): MerchantContext => ({
  ...shop.ctx,
  actor: { type, id },
  ...(type === "member" && { role: "owner" }),
});
const byKey = (n: number) => by("api_key", `key_${n}`);

interface Noun {
  name: string;
  newResourceId: () => string;
  /** Makes one. The same `about` is the same request. */
  make: (ctx: MerchantContext, about: string) => Promise<{ id: string | number }>;
  read: (id: string | number) => Promise<{ madeBy: Actor }>;
  /** Makes the next request for one end without an answer of the provider. */
  hang?: (about: string) => Promise<void>;
}

const person = (email: string) => ({ firstName: "Ngozi", lastName: "Eze", email, phone: null });

const nouns: Noun[] = [
  {
    name: "payment link",
    newResourceId: () => newLinkReference(shop.merchant.number),
    make: async (ctx) => ({ id: (await aLink({ ...shop, ctx })).reference }),
    read: (id) => getLinkByReference(shop.ctx, String(id)),
  },
  {
    name: "cardholder",
    newResourceId: newReference,
    make: async (ctx, about) => (await createCardholder(ctx, person(`${about}@example.com`))).cardholder,
    read: (id) => getCardholder(shop.ctx, Number(id)),
  },
  {
    name: "card",
    newResourceId: () => newId("card"),
    make: (ctx) => issueCard(ctx, { cardholderId: holderId, brand: "VISA", nickname: null }),
    read: (id) => getCard(shop.ctx, String(id)),
  },
  {
    name: "card operation",
    newResourceId: () => newId("cardOperation"),
    make: (ctx) => fundCard(ctx, card.id, { amount: dollars(1) }),
    read: (id) => getOperation(shop.ctx, String(id)),
    hang: () => orderFault("sandbox", "fund", "error_after", card).then(() => undefined),
  },
  {
    name: "purchase",
    newResourceId: () => newPurchaseId(shop.merchant.number),
    make: (ctx, about) => buyProduct(ctx, airtime({ phone: about })),
    read: (id) => getPurchase(shop.ctx, String(id)),
    hang: (about) => orderVtuFault("sandbox", "buy", "error_after", about),
  },
];

describe.each(nouns)("a $name", ({ name, newResourceId, make, read, hang }) => {
  const abouts = Array.from({ length: 6 }, (_, n) => (name === "purchase" ? aPhone() : `person-${n}-${process.pid}`));

  test("names the API key that made it, also when five keys make one each at once", async () => {
    const made = await Promise.all(times(5, (n) => make(byKey(n), abouts[n] ?? "")));
    const makers = await Promise.all(made.map(async ({ id }) => (await read(id)).madeBy));
    expect(makers).toEqual(made.map((_, n) => byKey(n).actor));
  });

  test("keeps the name of its first key when a replay with another key pair finishes it", async () => {
    const about = abouts[5] ?? "";
    await hang?.(about);
    const resourceId = newResourceId();
    const first = await make({ ...byKey(1), resourceId }, about);
    const again = await make({ ...byKey(2), resourceId, resumed: true }, about);
    expect(again.id).toBe(first.id);
    expect((await read(first.id)).madeBy).toEqual(byKey(1).actor);
  });
});

test("each purchase of a batch names its own maker", async () => {
  const contexts = [by("api_key", "key_1"), by("member", "usr_1")];
  const bought = await Promise.all(
    times(20, async (n) => {
      const ctx = contexts[n % 2] ?? shop.ctx;
      return { maker: madeBy(ctx), id: (await buyProduct(ctx, airtime())).id };
    }),
  );
  const rows = await sql()<{ id: string; maker: string }[]>`
    select id, made_by as maker from purchases where id = any(${bought.map(({ id }) => id)}) order by id`;
  expect([...rows]).toEqual(bought.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, maker }) => ({ id, maker })));
  // Purchases of one batch have one time, because they are stored in one transaction.
  const shared = await sql()`
    select from purchases where id = any(${bought.map(({ id }) => id)}) group by created_at having count(distinct made_by) = 2`;
  expect(shared.length).toBeGreaterThan(0);
});

test("the operations that issue and change a card name who asked, and the termination of a card that its issuer closed names the system", async () => {
  const { id } = await issueCard(byKey(1), { cardholderId: holderId, brand: "VISA", nickname: null });
  await until(async () => (await readTestCard(shop, id)).status === "ACTIVE");
  await changeCard(by("member", "usr_1"), id, "freeze");
  const makerOf = async (type: "issue" | "freeze" | "terminate") => (await latestOperation(shop, id, type)).madeBy;
  expect([await makerOf("issue"), await makerOf("freeze")]).toEqual(["api_key:key_1", "member:usr_1"]);
  await tellIssuerAbout(await readTestCard(shop, id), "shut");
  await until(async () => (await readTestCard(shop, id)).status === "TERMINATED");
  expect(await makerOf("terminate")).toBe("system:syncDueCards");
});
