import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import { newLinkReference, newPurchaseId } from "#lib/references.ts";
import { withDatabase } from "#testing/database.ts";
import type { MerchantContext } from "../context.ts";
import type { TestMerchant } from "../merchants/merchant.fixture.ts";
import { search } from "./index.ts";
import {
  addCard,
  addCardholder,
  addEverything,
  addLink,
  addPurchase,
  addToWallet,
  aSearcher,
  type Everything,
  idsIn,
  liveOf,
  namesOf,
} from "./search.fixture.ts";

withDatabase();

let shop: TestMerchant;
let all: Everything;

beforeAll(async () => {
  shop = await aSearcher();
  all = await addEverything(shop.merchant.id);
  await addEverything(shop.merchant.id);
});

const found = async (ctx: MerchantContext, text: string) => idsIn(await search(ctx, text));

test("each shape finds exactly its thing", async () => {
  for (const [shape, text, ids] of namesOf(all)) expect([shape, await found(shop.ctx, text)]).toEqual([shape, ids]);
});

test("another merchant and the other mode find nothing of this merchant, whether or not they have things of their own", async () => {
  const [other, live] = [await aSearcher(), liveOf(shop)];
  for (const round of ["without", "with"]) {
    for (const [shape, text] of namesOf(all)) {
      expect([round, shape, await found(other.ctx, text), await found(live, text)]).toEqual([round, shape, {}, {}]);
    }
    await Promise.all([addEverything(other.merchant.id), addEverything(live.merchant.id)]);
  }
});

test("a name that two merchants share finds for each its own thing", async () => {
  const other = await aSearcher();
  const [mine, theirs] = await Promise.all([addEverything(shop.merchant.id), addEverything(other.merchant.id)]);
  const [email, recipient] = ["same@example.com", "45000000001"];
  const link = await addLink(shop.merchant.id, { customerEmail: email });
  const purchase = await addPurchase(shop.merchant.id, { recipient });
  const card = await addCard(shop.merchant.id, mine.holder.id, "0007");
  const theirLink = await addLink(other.merchant.id, { customerEmail: email });
  const theirPurchase = await addPurchase(other.merchant.id, { recipient });
  const theirCard = await addCard(other.merchant.id, theirs.holder.id, "0007");
  const namesOfBoth = [email, recipient, "0007"];
  expect(await Promise.all(namesOfBoth.map((name) => found(shop.ctx, name)))).toEqual([
    { links: [link.id] },
    { purchases: [purchase] },
    { cards: [card.id] },
  ]);
  expect(await Promise.all(namesOfBoth.map((name) => found(other.ctx, name)))).toEqual([
    { links: [theirLink.id] },
    { purchases: [theirPurchase] },
    { cards: [theirCard.id] },
  ]);
});

test("text of several shapes finds the things of all of them", async () => {
  const digits = "7034562211";
  const link = await addLink(shop.merchant.id, { accountNumber: digits });
  const purchase = await addPurchase(shop.merchant.id, { recipient: digits, service: "cable" });
  const holder = await addCardholder(shop.merchant.id, { id: Number(digits) });
  expect(await found(shop.ctx, digits)).toEqual({ links: [link.id], purchases: [purchase], cardholders: [holder.id] });
  const eleven = "08031112223";
  const phonePurchase = await addPurchase(shop.merchant.id, { recipient: "+2348031112223", service: "airtime" });
  const meterPurchase = await addPurchase(shop.merchant.id, { recipient: eleven });
  expect(await found(shop.ctx, eleven)).toEqual({ purchases: [meterPurchase, phonePurchase].sort() });
});

test("text that names no thing finds nothing", async () => {
  const strangers = ["0803999999", "08039999999", "45999999999", "stranger@example.com", "999999999999999", newLinkReference(1)];
  const ids = (["paymentLink", "card", "event", "user", "apiKey", "suspenseItem"] as const).map((kind) => newId(kind));
  for (const text of [...strangers, ...ids, newPurchaseId(1), shop.merchant.id])
    expect([text, await found(shop.ctx, text)]).toEqual([text, {}]);
});

describe("what is shown", () => {
  test("ten purchases of a recipient are the newest, and the result says that there are more", async () => {
    const recipient = "45123456789";
    const ids: string[] = [];
    for (let atMs = Date.now(), n = 0; n < 11; n++, atMs++) {
      ids.unshift(await addPurchase(shop.merchant.id, { id: newPurchaseId(1, atMs), recipient, createdAt: new Date(atMs) }));
    }
    const { purchases } = await search(shop.ctx, recipient);
    expect(purchases.items.map(({ id }) => id)).toEqual(ids.slice(0, 10));
    expect(purchases.hasMore).toBe(true);
    const { purchases: one } = await search(shop.ctx, all.meter);
    expect(one.hasMore).toBe(false);
  });

  test("tokens and pins are withheld, from keys too", async () => {
    const { purchases } = await search(shop.ctx, all.meter);
    expect(purchases.items).toMatchObject([{ id: all.meterPurchase, hasSecrets: true, secrets: "withheld" }]);
  });

  test("a pending link whose time is over shows as expired, and nothing is stored", async () => {
    const past = new Date(Date.now() - 60_000);
    const { id } = await addLink(shop.merchant.id, { createdAt: past, expiresAt: past });
    expect((await search(shop.ctx, id)).links.items).toMatchObject([{ id, status: "expired" }]);
    expect(await sql()`select status from payment_links where id = ${id}`).toMatchObject([{ status: "pending" }]);
  });

  test("a wallet transaction that belongs to no thing is found by itself", async () => {
    const id = await addToWallet(shop.merchant.id, "adjustment:1");
    expect(await found(shop.ctx, id)).toEqual({ walletTransactions: [id] });
  });
});

test("any text finds without an error, and nothing of another merchant", async () => {
  const stranger = await aSearcher();
  const names = namesOf(all).map(([, text]) => text);
  const pasted = fc.oneof(fc.constantFrom(...names), fc.string({ unit: "binary", maxLength: 40 }), fc.stringMatching(/^[+\d\s*-]{1,20}$/));
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.tuple(fc.string({ maxLength: 3 }), pasted).map(([a, b]) => a + b),
  );
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      expect(await found(stranger.ctx, text)).toEqual({});
      const own = await search(shop.ctx, text);
      for (const { items } of Object.values(own))
        for (const thing of items) if ("merchantId" in thing) expect(thing.merchantId).toBe(shop.merchant.id);
    }),
    { numRuns: 300 },
  );
});
