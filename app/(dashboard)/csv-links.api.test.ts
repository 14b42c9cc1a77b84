import { expect, test } from "vitest";
import { download } from "#app/_exports/export-client.fixture.ts";
import { exportEndpoints } from "#app/api/dashboard/exports/endpoints.ts";
import { lagosDay } from "#lib/time.ts";
import { aBulkBuyer, airtimeFile } from "#services/bulk/bulk.fixture.ts";
import { uploadBulkOrder } from "#services/bulk/index.ts";
import { aMember, tokenOfNewSession } from "#services/members/member.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";

withDatabase();
const app = withApp({}, { pages: true });

/** Every filter of each list that is a file too, as its page has it. */
const FILTERED: Record<string, Record<string, string>> = {
  "/links": { status: "success", min: "1", max: "2.50" },
  "/transactions": { area: "vtu", state: "completed" },
  "/wallet": { direction: "credit" },
  "/wallet/payouts": { status: "failed" },
  "/cards": { status: "ACTIVE" },
  "/cards/holders": { kyc_status: "APPROVED", email: "ada@shop.example" },
  "/cards/spend": { type: "CLEARING" },
  "/cards/operations": { type: "fund", status: "completed" },
  "/developers/deliveries": { status: "failed", event_type: "checkout.success", answer: "5xx" },
  "/developers/events": { type: "checkout.success", resource: "vtu_1" },
  "/developers/requests": { method: "GET", path: "/api/v1", status: "4xx", error_code: "VALIDATION_ERROR", caller: "key" },
  "/settings/audit": { by: "api", about: "money", subject: "crd_1" },
  "/top-ups": { service: "data", status: "failed", recipient: "08031234567" },
};

test("the file of each list takes every filter that the list's page sends", async () => {
  const { shop, ctx } = await aBulkBuyer();
  const { id } = await uploadBulkOrder(ctx, airtimeFile(["11"]));
  const today = lagosDay(new Date());
  const pages = [
    ...Object.entries(FILTERED).map(([path, filters]) => `${path}?${new URLSearchParams({ ...filters, from: today, to: today })}`),
    ...["/wallet/statement", `/wallet/statement?month=${today.slice(0, 7)}`, `/top-ups/bulk/${id}`],
  ];
  const member = await aMember(shop.merchant.businessId, "owner");
  const taken: string[] = [];
  for (const path of pages) {
    const token = await tokenOfNewSession(member);
    const html = await (await fetch(`${app.url}/test${path}`, { headers: { cookie: `oja-session=${token}` } })).text();
    const [, href = ""] = /href="(\/api\/dashboard\/exports\/[^"]+)"/.exec(html) ?? [];
    const { status, text } = await download(app, { token }, href.replaceAll("&amp;", "&"), { changes: { Accept: "*/*" } });
    expect(status, `${path}: ${href}: ${text.slice(0, 500)}`).toBe(200);
    expect(href, path).toMatch(
      path.includes("from=") && !path.startsWith("/cards/holders") ? /created_after=.*created_before=/ : /merchant=/,
    );
    taken.push(href.split("?")[0] ?? "");
  }
  expect([...new Set(taken)].sort()).toEqual(exportEndpoints.map(({ path }) => path).sort());
});
