import { beforeAll, describe, expect, test } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { raiseAlert } from "#services/alerts/index.ts";
import { aLink } from "#services/checkout/checkout.fixture.ts";
import { fund } from "#services/ledger/ledger.fixture.ts";
import { aMember, type TestMember, tokenOfNewSession } from "#services/members/member.fixture.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { anEndpoint } from "#services/webhooks/webhooks.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { pagesOfMode } from "./pages.fixture.ts";

withDatabase();
const app = withApp({}, { pages: true });

const ROLES = ["owner", "admin", "developer", "support", "viewer"] as const;

/** The sandbox plays in test mode only. */
const OF_TEST_MODE = new Set(["/developers/simulator"]);

let shop: TestMerchant;

const open = async (member: TestMember, path: string) =>
  fetch(`${app.url}${path}`, { headers: { cookie: `oja-session=${await tokenOfNewSession(member)}` }, redirect: "manual" });

const givePasskey = ({ userId }: TestMember) => sql()`
  insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name)
  values (${`pky_${userId}`}, ${userId}, ${`credential of ${userId}`}, 'x', 0, '{}', 'Phone')`;

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

  test("every page opens for an address with invalid parameters, and a list says which ones it ignored", async () => {
    const member = await aMember(shop.merchant.businessId, "owner");
    const wrong =
      "cursor=x&status=bogus&state=bogus&method=PUT&error_code=X&caller=x&key_id=x&type=x&resource=%2F&answer=1xx&endpoint_id=x&days=never&from=2026-13-77&min=-1&max=lots&area=moon&month=2026-99&page=%F0%9F%98%80";
    const unstorable = "recipient=%00&email=a%00&cursor=%00&phone=%00&from=%00&month=%00";
    for (const path of pagesOfMode()) for (const query of [`${wrong}&${wrong}`, unstorable]) await pageOf(member, `/test${path}?${query}`);
    expect(await pageOf(member, "/test/links?status=bogus")).toContain("does not know: status");
    expect(await pageOf(member, "/test/links?cursor=x")).toContain("These are the newest");
  });

  test("the statement of an unreadable month shows no sums, entries or file, so that this month's are not taken for them", async () => {
    const { merchant } = await aMerchant();
    await fund(merchant.id, 7_654_300n);
    const member = await aMember(merchant.businessId, "owner");
    const OF_THIS_MONTH = ["Balance so far", "Money in", "By kind", "exports/wallet-statement", "window.print"];
    const shown = await pageOf(member, "/test/wallet/statement");
    for (const part of OF_THIS_MONTH.slice(0, 4)) expect(shown, part).toContain(part);
    const refused = await pageOf(member, "/test/wallet/statement?month=13/2026");
    expect(refused).toContain("The month in this address cannot be read");
    for (const part of OF_THIS_MONTH) expect(refused, part).not.toContain(part);
  });

  test("addresses of endpoints, frames and callbacks are shown in readable letters, never in punycode", async () => {
    const bought = await aMerchant();
    const { merchant } = bought;
    const member = await aMember(merchant.businessId, "owner");
    const link = await aLink(bought, { callback_url: "https://xn--bro-hoa.example/thanks" });
    const endpoint = await anEndpoint(bought, "https://xn--bro-hoa.example/hook");
    await sql()`update merchants set embed_origins = '{https://xn--bro-hoa.example}' where id = ${merchant.id}`;
    for (const [path, shown] of [
      ["/developers/webhooks", "https://büro.example/hook"],
      [`/developers/webhooks/${endpoint.id}`, "https://büro.example/hook"],
      ["/settings", "https://büro.example"],
      [`/links/${link.reference}`, "https://büro.example/thanks"],
    ] as const) {
      // The answer of the API is shown as it is.
      const markup = (await pageOf(member, `/test${path}`)).replaceAll(/<(script|pre)\b.*?<\/\1>/gs, "");
      expect(markup, path).toContain(shown);
      expect(/.{0,60}xn--.{0,60}/.exec(markup)?.[0], path).toBeUndefined();
    }
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

  test("while live mode is suspended, test pages offer no change that both modes share, and still offer their own", async () => {
    const { merchant, liveMerchantId } = await aMerchant();
    const member = await aMember(merchant.businessId, "owner");
    const OFFERS = { "/settings": ["Change name", "Change sites"], "/settings/brand": ["Save brand"], "/team": ["Invite member"] };
    const isOffered = async (path: string, offer: string) =>
      new RegExp(`<button[^>]*>(?:<[^>]*>)*${offer}`).test(await pageOf(member, `/test${path}`));
    for (const [path, offers] of Object.entries(OFFERS))
      for (const offer of offers) expect([offer, await isOffered(path, offer)]).toEqual([offer, true]);
    await sql()`update merchants set status = 'suspended' where id = ${liveMerchantId}`;
    await until(async () => (await pageOf(member, "/test")).includes("Your business is suspended in live mode"));
    for (const [path, offers] of Object.entries(OFFERS))
      for (const offer of offers) expect([offer, await isOffered(path, offer)]).toEqual([offer, false]);
    expect(await isOffered("/developers", "Create key")).toBe(true);
    expect(await pageOf(member, "/test/links")).toContain("/test/links/new");
  });

  test("a member who must set up a second factor sees only Your security, without wallet, alerts or links to other pages", async () => {
    const { merchant } = await aMerchant();
    const { businessId, id } = merchant;
    await fund(id, 1_234_567n);
    await transaction((tx) => raiseAlert(tx, id, { type: "card.blocked", message: "A card was blocked.", resourceId: "card_1" }));
    const atWork = await aMember(businessId, "owner");
    const SAID = ["12,345", "1 need you", "⌘K", 'href="/test/wallet"', "alt_"];
    const whole = await pageOf(atWork, "/test/security");
    for (const part of SAID) expect(whole, part).toContain(part);
    await sql()`update businesses set two_factor_required_at = now() - interval '1 minute' where id = ${businessId}`;
    const member = await aMember(businessId, "owner");
    const locked = await pageOf(member, "/test/security");
    for (const part of [...SAID, "1234567", "/test/links"]) expect(locked, part).not.toContain(part);
    expect(locked).toContain("Turn two-step sign-in on");
    for (const path of pagesOfMode().filter((path) => path !== "/security"))
      expect([path, (await open(member, `/test${path}`)).headers.get("location")]).toEqual([path, "/test/security"]);
    await givePasskey(member);
    expect(await pageOf(member, "/test/security")).toContain("12,345");
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

  test("a page that fails shows an error id that our log also has", async () => {
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
