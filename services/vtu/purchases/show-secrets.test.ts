import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import type { MerchantContext, Role } from "../../context.ts";
import type { TestMerchant } from "../../merchants/merchant.fixture.ts";
import { buyProduct, type PurchaseRequest } from "../buying/buy-product.ts";
import { PurchaseObject } from "../contract.ts";
import { presentPurchase } from "../present.ts";
import { airtime, aMeter, aVtuMerchant, productNamed } from "../vtu.fixture.ts";
import { listPurchases } from "./list-purchases.ts";
import { getPurchase } from "./read-purchases.ts";

withDatabase();
withApp();

const SEERS: Role[] = ["owner", "admin", "developer", "support"];

let shop: TestMerchant;
let discoId = 0;
let examId = 0;
beforeAll(async () => {
  await aVtuMerchant();
  discoId = (await productNamed("sandbox", "electricity", "eko-electric")).id;
  const [exam] = await sql()<{ id: number }[]>`select id from products where provider = 'sandbox' and service = 'exam' limit 1`;
  examId = exam?.id ?? 0;
});
beforeEach(async () => {
  shop = await aVtuMerchant();
});

const member = (role: Role): MerchantContext => ({ ...shop.ctx, actor: { type: "member", id: `usr_${role}` }, role });

const electricity = (): PurchaseRequest => ({
  ...{ service: "electricity", productId: discoId, meterNumber: aMeter(), meterType: "Prepaid", amount: naira(5_000) },
  ...{ customer: {}, allowDuplicate: false },
});
const exam = (): PurchaseRequest => ({ service: "exam", productId: examId, quantity: 2, allowDuplicate: false });

/** Buys with the merchant's key, and returns the API's object. */
const bought = async (order: PurchaseRequest) => presentPurchase(await buyProduct(shop.ctx, order));
const seenBy = async (ctx: MerchantContext, reference: string) => presentPurchase(await getPurchase(ctx, reference));
const listedFor = async (ctx: MerchantContext) => (await listPurchases(ctx, { limit: 10 })).items.map(presentPurchase);

/** Returns the actors of the noted views of a purchase. */
const viewersOf = async (reference: string) =>
  (
    await sql()<{ actor_id: string }[]>`
      select actor_id from audit_entries where business_id = ${shop.merchant.businessId} and action = 'purchase.tokens_viewed' and subject = ${reference}
      order by seq`
  ).map(({ actor_id }) => actor_id);

/** Returns the object as a reader sees it who may not see the secrets. */
function withoutSecrets({ tokens: _tokens, pins: _pins, ...rest }: Awaited<ReturnType<typeof bought>>) {
  return { ...rest, token: null, has_token: true };
}

describe("one purchase", () => {
  test.each(SEERS)("shows its token and its pins to a member who is %s, and the audit notes it once an hour", async (role) => {
    const power = await bought(electricity());
    const pins = await bought(exam());
    expect(power.token).toMatch(/\d{20}/);
    expect(pins.pins).toHaveLength(2);
    expect(await seenBy(member(role), power.reference)).toEqual(power);
    expect(await seenBy(member(role), pins.reference)).toEqual(pins);
    expect([await viewersOf(power.reference), await viewersOf(pins.reference)]).toEqual([[`usr_${role}`], [`usr_${role}`]]);
    await Promise.all(times(4, () => seenBy(member(role), power.reference)));
    expect(await viewersOf(power.reference)).toEqual([`usr_${role}`]);
  });

  test("shows a viewer, and a member without a role, only that there is a token, and the audit notes nothing", async () => {
    const { role: _role, ...withoutRole } = member("viewer");
    for (const purchase of [await bought(electricity()), await bought(exam())]) {
      const seen = await seenBy(member("viewer"), purchase.reference);
      expect(seen).toEqual(withoutSecrets(purchase));
      expect(PurchaseObject.parse(seen)).toEqual(seen);
      expect(await seenBy(withoutRole, purchase.reference)).toEqual(withoutSecrets(purchase));
      expect(await viewersOf(purchase.reference)).toEqual([]);
    }
  });

  test("an API key sees the token without an audit entry, and a member who sees a purchase without a token makes none", async () => {
    const power = await bought(electricity());
    expect(await seenBy(shop.ctx, power.reference)).toEqual(power);
    expect(power).not.toHaveProperty("has_token");
    expect(await viewersOf(power.reference)).toEqual([]);
    const top = await bought(airtime());
    expect(await seenBy(member("owner"), top.reference)).toEqual(top);
    expect(await seenBy(member("viewer"), top.reference)).toEqual({ ...top, has_token: false });
    expect(await viewersOf(top.reference)).toEqual([]);
  });

  test("a purchase that a member buys or replays is shown and audited by the same rule as one that a member reads", async () => {
    const resourceId = "vtu_BOUGHT_BY_A_MEMBER";
    const own = presentPurchase(await buyProduct({ ...member("developer"), resourceId }, electricity()));
    expect(own.token).toMatch(/\d{20}/);
    expect(await viewersOf(own.reference)).toEqual(["usr_developer"]);
    const replay = (role: Role) => buyProduct({ ...member(role), resourceId, resumed: true }, electricity());
    await expect(replay("viewer")).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    expect(await viewersOf(own.reference)).toEqual(["usr_developer"]);
    expect(presentPurchase(await replay("owner"))).toEqual(own);
    expect(await viewersOf(own.reference)).toEqual(["usr_developer", "usr_owner"]);
    const { role: _role, ...worker } = member("viewer");
    const asWorker = { ...worker, permissions: ["vtu:write"] };
    expect(presentPurchase(await buyProduct({ ...asWorker, resourceId, resumed: true }, electricity()))).toEqual(withoutSecrets(own));
    const hidden = presentPurchase(await buyProduct(asWorker, electricity()));
    expect(hidden).toMatchObject({ status: "success", token: null, has_token: true });
    expect(await viewersOf(hidden.reference)).toEqual([]);
  });
});

test.each([...SEERS, "viewer"] as const)(
  "a list shows a member who is %s no token and no pin, and the audit notes nothing",
  async (role) => {
    const top = await bought(airtime());
    const power = await bought(electricity());
    const pins = await bought(exam());
    const list = await listedFor(member(role));
    expect(list).toEqual([withoutSecrets(pins), withoutSecrets(power), { ...top, has_token: false }]);
    for (const each of list) expect(PurchaseObject.parse(each)).toEqual(each);
    expect(await listedFor(shop.ctx)).toEqual([pins, power, top]);
    expect(
      await sql()`select from audit_entries where action = 'purchase.tokens_viewed' and business_id = ${shop.merchant.businessId}`,
    ).toEqual([]);
  },
);

test.each([
  ["was sealed under another key", "v1.00000000.c2VhbGVk"],
  ["is not sealed text", "4512-3456-7890"],
])("a token that %s is shown as unavailable, and the rest of the purchase and of the list are shown", async (_why, secrets) => {
  const broken = await bought(electricity());
  const whole = await bought(electricity());
  await sql()`update purchases set secrets = ${secrets} where merchant_id = ${shop.merchant.id} and id = ${broken.reference}`;
  const errors = vi.spyOn(log(), "error");
  const { tokens: _tokens, ...rest } = broken;
  const unavailable = { ...rest, token: null, token_unavailable: true };
  expect(await listedFor(shop.ctx)).toEqual([whole, unavailable]);
  expect(await seenBy(shop.ctx, broken.reference)).toEqual(unavailable);
  expect(await seenBy(member("support"), broken.reference)).toEqual(unavailable);
  expect(PurchaseObject.parse(unavailable)).toEqual(unavailable);
  expect(await listedFor(member("support"))).toEqual([withoutSecrets(whole), withoutSecrets(broken)]);
  expect(await viewersOf(broken.reference)).toEqual([]);
  expect(errors.mock.calls).toHaveLength(3);
  for (const [fields] of errors.mock.calls) expect(fields).toEqual({ merchantId: shop.merchant.id, purchaseId: broken.reference });
  errors.mockRestore();
});
