import { beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { aMember } from "#services/members/member.fixture.ts";
import { setBrand } from "#services/merchants/index.ts";
import { aMerchant, byOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";

withDatabase();
const app = withApp();

let shop: TestMerchant;
let token: string;
beforeAll(async () => {
  shop = await aMerchant({ name: "Ada's <Shop>" });
  ({ token } = await aMember(shop.merchant.businessId, "viewer"));
  await setBrand({ ...byOperator(shop.ctx), businessId: shop.merchant.businessId }, { colour: "#112233" });
});

const previewOf = (query: string, base = "/test", session = token) =>
  fetch(`${app.url}${base}/links/new/preview?${query}`, { redirect: "manual", headers: { cookie: `oja-session=${session}` } });
const textOf = async (query: string) => (await previewOf(query)).text();

test("the preview is the payer's page in the merchant's brand, with the amount and the description that are typed", async () => {
  const html = await textOf(new URLSearchParams({ amount: "₦5,000.50", description: "Two bags of rice" }).toString());
  for (const part of ["₦5,000.50", "Two bags of rice", "Example Bank", "--color-brand:#112233", "Ada&#x27;s &lt;Shop&gt;"])
    expect(html).toContain(part);
});

test("the preview has no script, takes no click, sends nothing, and only pages of its own host may frame it", async () => {
  const answer = await previewOf("amount=5000");
  const policy = answer.headers.get("content-security-policy");
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+' 'sha256-[^']+'; form-action 'none'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'self'$/,
  );
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const html = await answer.text();
  expect(html).not.toContain("<script");
  expect(html).toContain("<body inert");
});

test.each(["<script>alert(1)</script>", "</div><img src=x onerror=alert(1)>", '"><b>'])(
  "%j in a description is shown as text",
  async (description) => {
    const html = await textOf(new URLSearchParams({ amount: "5000", description }).toString());
    expect(html).not.toContain(description);
    expect(html).toContain("&lt;");
  },
);

test.each(["amount=x", "amount=-5", "amount=1&amount=2", "", `description=${"%F0%9F%8D%9A".repeat(200)}`, "amount=%F0%9F%8D%9A"])(
  "the preview answers %j with a page, also where the values are invalid",
  async (query) => {
    expect((await previewOf(query)).status).toBe(200);
  },
);

test("a stranger is sent to the sign-in page, a member of several businesses to one of them, and another business is not found", async () => {
  const ledTo = (answer: Response) => [answer.status, answer.headers.get("location"), answer.headers.get("cache-control")];
  const then = encodeURIComponent("/test/links/new/preview?amount=5000");
  expect(ledTo(await previewOf("amount=5000", "/test", "x"))).toEqual([307, `/sign-in?then=${then}`, "no-store"]);
  const other = await aMerchant();
  const theirs = `/b/${other.merchant.businessId}/test`;
  const refused = await previewOf("amount=5000", theirs);
  expect(refused.status).toBe(404);
  const { userId, token: ofTwo } = await aMember(other.merchant.businessId, "viewer");
  await sql()`insert into members (business_id, user_id, role) values (${shop.merchant.businessId}, ${userId}, 'viewer')`;
  const [status, location] = ledTo(await previewOf("amount=5000", "/test", ofTwo));
  expect(status).toBe(307);
  expect(location).toMatch(/^\/b\/biz_\w+\/test\/links\/new\/preview\?amount=5000$/);
  expect((await previewOf("amount=5000", theirs, ofTwo)).status).toBe(200);
});

test("a preview stores nothing", async () => {
  const count = async () => (await sql()<{ n: number }[]>`select count(*)::int as n from payment_links`)[0]?.n;
  const before = await count();
  await previewOf("amount=5000");
  expect(await count()).toBe(before);
});
