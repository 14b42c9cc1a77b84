import { beforeAll, describe, expect, test } from "vitest";
import { pageClient } from "#app/_http/page-client.fixture.ts";
import { aMember } from "#services/members/member.fixture.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { addLink } from "#services/search/search.fixture.ts";
import { expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";

withDatabase();
const app = withApp();

let shop: TestMerchant;
let other: TestMerchant;
beforeAll(async () => {
  shop = await aMerchant();
  other = await aMerchant();
});

async function finderOf({ merchant }: TestMerchant, merchantId = merchant.id) {
  const page = pageClient(app, await aMember(merchant.businessId, "viewer"), merchantId);
  return (text?: string, changes = {}) =>
    page("GET", `/api/dashboard/search${text === undefined ? "" : `?q=${encodeURIComponent(text)}`}`, { changes });
}

describe("a search of the dashboard", () => {
  test("leads to the page of the thing that a customer names", async () => {
    const link = await addLink(shop.merchant.id, {
      description: "Two bags of rice",
      customerName: "Ngozi Eze",
      status: "success",
      paidAt: new Date(),
    });
    const find = await finderOf(shop);
    const { status, body } = await find(link.reference);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      hits: [
        {
          ...{ id: link.id, group: "Payment links", title: "Two bags of rice", detail: "₦5,000.00 · Ngozi Eze" },
          ...{ state: { tone: "success", word: "Paid" }, path: `/links/${link.reference}` },
        },
      ],
      moreOf: [],
    });
    for (const text of ["", "no such thing", "\u202e<b>🎂</b>"]) expect((await find(text)).body.data).toEqual({ hits: [], moreOf: [] });
  });

  test("a search shows ten results and names the kinds of which there are more", async () => {
    const email = "one@customer.example";
    await Promise.all(times(11, () => addLink(shop.merchant.id, { customerEmail: email })));
    const { data } = (await (await finderOf(shop))(email)).body;
    expect([data.hits.length, data.moreOf]).toEqual([10, ["Payment links"]]);
  });

  test("finds nothing of another business or of the other mode, and logs no text", async () => {
    const link = await addLink(shop.merchant.id);
    expect((await (await finderOf(other))(link.reference)).body.data.hits).toEqual([]);
    expect((await (await finderOf(shop, shop.liveMerchantId))(link.reference)).body.data.hits).toEqual([]);
    expectError(await (await finderOf(other, shop.merchant.id))(link.reference), "RESOURCE_NOT_FOUND");
    expect(await app.wholeLog()).not.toContain(link.reference);
  });

  test("refuses a missing text, one of more than 200 characters, keys, and a foreign page", async () => {
    const find = await finderOf(shop);
    expectError(await find(), "VALIDATION_ERROR");
    expectError(await find("x".repeat(201)), "VALIDATION_ERROR");
    expectError(await find("1234", { Cookie: undefined, "X-Api-Key": "pk_test_x", "X-Api-Secret": "sk_test_x" }), "MISSING_CREDENTIALS");
    expectError(await find("1234", { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }), "PERMISSION_DENIED");
  });
});
