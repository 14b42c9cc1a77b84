import { beforeAll, expect, test } from "vitest";
import { aLink, anExpiredLink, hear, noticeOf } from "#services/checkout/checkout.fixture.ts";
import type { Role } from "#services/context.ts";
import { aMember } from "#services/members/member.fixture.ts";
import { suspendMerchant } from "#services/merchants/index.ts";
import { aMerchant, anOperator, enableLiveAreas, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";

withDatabase();
const app = withApp({}, { pages: true });

let shop: TestMerchant;
beforeAll(async () => {
  shop = await aMerchant();
});

async function pageFor(merchant: TestMerchant, role: Role, path: string): Promise<string> {
  const { token } = await aMember(merchant.merchant.businessId, role);
  const answer = await fetch(`${app.url}${path}`, { redirect: "manual", headers: { cookie: `oja-session=${token}` } });
  expect(answer.status).toBe(200);
  // Without the page's data for its script, which repeats the text, and without tags.
  return (await answer.text()).replaceAll(/<script[\s\S]*?<\/script>|<!-- -->|<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

test("a viewer sees links but cannot create or simulate, and the page of the form says which roles can", async () => {
  const { reference } = await aLink(shop);
  expect(await pageFor(shop, "viewer", "/test/links")).not.toContain("Create link");
  const page = await pageFor(shop, "viewer", `/test/links/${reference}`);
  expect(page).toContain("Copy link");
  for (const absent of ["Play the customer", "Again with the same details"]) expect(page).not.toContain(absent);
  const form = await pageFor(shop, "viewer", "/test/links/new");
  expect(form).toContain("Your role cannot create payment links.");
  expect(form).toContain("Owners, admins, developers and support staff can do this.");
  expect(form).not.toContain("Customer's email");
});

test("each other role can create and simulate in test mode", async () => {
  const { reference } = await aLink(shop);
  for (const role of ["owner", "admin", "developer", "support"] as const) {
    expect(await pageFor(shop, role, "/test/links")).toContain("Create link");
    expect(await pageFor(shop, role, `/test/links/${reference}`)).toContain("Play the customer");
  }
});

test("support sees the timeline of a link without the events that developers see", async () => {
  const link = await aLink(shop);
  await hear(noticeOf(link));
  expect(await pageFor(shop, "support", `/test/links/${link.reference}`)).not.toContain("checkout.success");
  expect(await pageFor(shop, "developer", `/test/links/${link.reference}`)).toContain("checkout.success");
});

test("a suspended business keeps its list, and offers nothing that changes anything", async () => {
  const closed = await aMerchant();
  const { link } = await anExpiredLink(closed);
  await suspendMerchant(anOperator, closed.merchant.id, "for the test");
  expect(await pageFor(closed, "owner", "/test/links")).not.toContain("Create link");
  const page = await pageFor(closed, "owner", `/test/links/${link.reference}`);
  for (const absent of ["Play the customer", "Again with the same details"]) expect(page).not.toContain(absent);
  expect(await pageFor(closed, "owner", "/test/links/new")).toContain("No links can be created. Write to support.");
});

test("in live mode the pages say that payment links are off, or that no bank is set up for them yet", async () => {
  const off = "Payment links are not switched on for your business";
  for (const path of ["/live/links", "/live/links/new", "/live/links/x"]) expect(await pageFor(shop, "owner", path)).toContain(off);
  await enableLiveAreas(shop.liveMerchantId, "checkout");
  for (const path of ["/live/links", "/live/links/new"]) {
    const page = await pageFor(shop, "owner", path);
    expect(page).toContain("Payment links are not set up in live mode yet.");
    expect(page).not.toContain("Create link");
  }
});
