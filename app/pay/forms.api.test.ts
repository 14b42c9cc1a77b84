import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { newLinkReference } from "#lib/references.ts";
import { aLink, aLiveReference } from "#services/checkout/checkout.fixture.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { payerClient } from "./pay.fixture.ts";

withDatabase();
const app = withApp();
const { get, post } = payerClient(app);

let shop: TestMerchant;
beforeAll(async () => {
  shop = await aMerchant({ name: "Ada's Shop" });
});

describe("activity", () => {
  const kindsOf = async (id: string) =>
    (await sql()`select kind from payment_link_activity where link_id = ${id} order by kind`).map(({ kind }) => kind);

  test("that the script sends is recorded and answered without a body", async () => {
    const link = await aLink(shop);
    const answers = await Promise.all(times(5, () => post(`${link.reference}/activity`, { kind: "copied" })));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    expect(await kindsOf(link.id)).toEqual(["opened", "copied"]);
  });

  test("that the form sends redirects to the page in the chosen language, which then says that we check", async () => {
    const link = await aLink(shop);
    const response = await post(`${link.reference}/activity?lang=pcm`, { kind: "sent" }, { accept: "text/html" });
    expect([response.status, response.headers.get("location")]).toEqual([303, `/pay/${link.reference}?lang=pcm`]);
    expect(await (await get(link.reference)).text()).toMatch(/<section id="sent" tabindex="-1" aria-label/);
  });

  test("redirects to the page alone, whatever the query says", async () => {
    const link = await aLink(shop);
    const response = await post(`${link.reference}/activity?lang=//evil.example`, { kind: "sent" }, { accept: "text/html" });
    expect(response.headers.get("location")).toBe(`/pay/${link.reference}?lang=%2F%2Fevil.example`);
  });

  test.each([{}, { kind: "refund" }, { kind: "opened".repeat(500) }])(
    "of an unknown kind (%j) is refused and not recorded",
    async (form) => {
      const link = await aLink(shop);
      expect((await post(`${link.reference}/activity`, form)).status).toBe(404);
      expect(await kindsOf(link.id)).toEqual([]);
    },
  );

  test("is in the merchant's timeline, which no other merchant can read", async () => {
    const link = await aLink(shop);
    const opened = await post(`${link.reference}/status`, {});
    expect(await opened.json()).toMatchObject({ state: "pending" });
    await post(`${link.reference}/activity`, { kind: "sent" });
    const path = `/api/v1/checkout/timeline?reference=${link.reference}`;
    const { status, body } = await apiClient(app, shop.key).get(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      reference: link.reference,
      data: [{ type: "created" }, { type: "opened", times: 1 }, { type: "sent" }],
    });
    const other = await aMerchant();
    expectError(await apiClient(app, other.key).get(path), "RESOURCE_NOT_FOUND");
    expectError(await apiClient(app, shop.key).get("/api/v1/checkout/timeline"), "VALIDATION_ERROR");
  });
});

describe("the simulate buttons", () => {
  test("pay the link and redirect to the page", async () => {
    const link = await aLink(shop);
    const response = await post(`${link.reference}/simulate?lang=yo`, { what: "exact" });
    expect([response.status, response.headers.get("location")]).toEqual([303, `/pay/${link.reference}?lang=yo`]);
    expect((await (await get(`${link.reference}/status`)).json()).state).toBe("success");
  });

  test("do not exist in live mode, and neither do the simulated views", async () => {
    const link = await aLink(shop);
    const reference = await aLiveReference(shop, link);
    expect((await post(`${reference}/simulate`, { what: "exact" })).status).toBe(404);
    const html = await (await get(`${reference}?simulate=suspended`)).text();
    expect(html).toContain("Transfer exactly");
    expect(html).not.toMatch(/Simulate|Test mode/);
    expect((await get(`${reference}/status?simulate=no-answer`)).status).toBe(200);
  });

  test("work on our own page alone, and make at most twenty transfers", async () => {
    const link = await aLink(shop);
    const press = (site: string) => post(`${link.reference}/simulate`, { what: "under" }, { "sec-fetch-site": site });
    for (const site of ["cross-site", "same-site", "none"]) expect((await press(site)).status).toBe(404);
    for (let i = 0; i < 22; i++) expect((await press("same-origin")).status).toBe(303);
    expect(await sql()`select 1 from bank_transfers where link_id = ${link.id}`).toHaveLength(20);
  });

  test("a GET of the address of either form redirects to the page, also for an unknown reference", async () => {
    for (const path of ["activity", "simulate"]) {
      const reference = newLinkReference(1);
      const response = await get(`${reference}/${path}?lang=ha`);
      expect([response.status, response.headers.get("location")]).toEqual([303, `/pay/${reference}?lang=ha`]);
    }
  });

  test("refuse an unknown simulation", async () => {
    const link = await aLink(shop);
    expect((await post(`${link.reference}/simulate`, { what: "constructor" })).status).toBe(404);
  });
});
