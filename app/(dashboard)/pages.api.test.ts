import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { aMember, type TestMember } from "#services/members/member.fixture.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { pagesOfMode } from "./pages.fixture.ts";

withDatabase();
const app = withApp();

const ROLES = ["owner", "admin", "developer", "support", "viewer"] as const;

/** The sandbox plays in test mode only. */
const OF_TEST_MODE = new Set(["/developers/simulator"]);

let shop: TestMerchant;

const open = (member: TestMember, path: string) =>
  fetch(`${app.url}${path}`, { headers: { cookie: `oja-session=${member.token}` }, redirect: "manual" });

async function pageOf(member: TestMember, path: string): Promise<string> {
  const answer = await open(member, path);
  expect(answer.status, path).toBe(200);
  const html = await answer.text();
  expect(html.match(/<h1[ >]/g), path).toHaveLength(1);
  return html;
}

beforeAll(async () => {
  shop = await aMerchant();
});

describe("every page of the dashboard", () => {
  test.each(ROLES)("opens for the role %s in both modes, with one heading", async (role) => {
    const member = await aMember(shop.merchant.businessId, role);
    const pages = pagesOfMode();
    expect(pages).toEqual(expect.arrayContaining(["", "/links", "/security", "/transactions"]));
    for (const path of pages) {
      await pageOf(member, `/test${path}`);
      if (OF_TEST_MODE.has(path)) expect((await open(member, `/live${path}`)).status, path).toBe(404);
      else await pageOf(member, `/live${path}`);
    }
  });

  test("opens with an address that nobody of us wrote, and says so", async () => {
    const member = await aMember(shop.merchant.businessId, "owner");
    const wrong =
      "cursor=x&status=bogus&state=bogus&method=PUT&error_code=X&caller=x&key_id=x&type=x&resource=%2F&answer=1xx&endpoint_id=x&days=never&from=2026-13-77&min=-1&max=lots&area=moon&month=2026-99&page=%F0%9F%98%80";
    const unstorable = "recipient=%00&email=a%00&cursor=%00&phone=%00&from=%00&month=%00";
    for (const path of pagesOfMode()) for (const query of [`${wrong}&${wrong}`, unstorable]) await pageOf(member, `/test${path}?${query}`);
    expect(await pageOf(member, "/test/links?status=bogus")).toContain("does not know: status");
    expect(await pageOf(member, "/test/links?cursor=x")).toContain("These are the newest");
  });

  test("sends a stranger to sign in, and hides another business", async () => {
    const other = await aMerchant();
    const member = await aMember(shop.merchant.businessId, "owner");
    for (const path of pagesOfMode()) {
      const answer = await fetch(`${app.url}/test${path}`, { redirect: "manual" });
      expect([answer.status, answer.headers.get("location")], path).toEqual([
        307,
        // Signing in leads home by itself.
        path === "" ? "/sign-in" : `/sign-in?then=${encodeURIComponent(`/test${path}`)}`,
      ]);
      expect((await open(member, `/b/${other.merchant.businessId}/test${path}`)).status, path).toBe(404);
    }
  });

  test("opens for a suspended business, and says that nothing can be changed", async () => {
    const { merchant } = await aMerchant();
    const member = await aMember(merchant.businessId, "owner");
    await sql()`update merchants set status = 'suspended' where id = ${merchant.id}`;
    for (const path of pagesOfMode()) expect(await pageOf(member, `/test${path}`), path).toContain("Your business is suspended");
  });

  test("opens for a business without areas, which can ask for them", async () => {
    const { merchant } = await aMerchant();
    const member = await aMember(merchant.businessId, "owner");
    await sql()`delete from merchant_areas where merchant_id = ${merchant.id}`;
    for (const path of pagesOfMode()) await pageOf(member, `/test${path}`);
    expect(await pageOf(member, "/test/links")).toContain("Ask for payment links");
    const viewer = await aMember(merchant.businessId, "viewer");
    expect(await pageOf(viewer, "/test/links")).toContain("Owners and admins can ask for them.");
  });

  test("that cannot be made says so within the frame, with a name that our log has", async () => {
    const { merchant } = await aMerchant();
    const member = await aMember(merchant.businessId, "owner");
    await sql()`alter table payment_links rename to payment_links_away`;
    try {
      const answer = await open(member, "/test/links");
      const [, digest] = /"digest":"(\d+)"/.exec((await answer.text()).replaceAll("\\", "")) ?? [];
      expect(digest).toBeDefined();
      await until(async () => app.log().includes(String(digest)));
    } finally {
      await sql()`alter table payment_links_away rename to payment_links`;
    }
  });
});
