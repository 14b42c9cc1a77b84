import { beforeAll, describe, expect, test } from "vitest";
import { exportEndpoints } from "#app/api/dashboard/exports/endpoints.ts";
import { db, sql } from "#db/client.ts";
import { bulkOrders } from "#db/schema/bulk.ts";
import { ERROR_STATUS, type ErrorCode } from "#lib/problem.ts";
import { lagosDay } from "#lib/time.ts";
import { mayRole, ROLES } from "#services/members/index.ts";
import { aMember, type TestMember } from "#services/members/member.fixture.ts";
import { suspendMerchant } from "#services/merchants/index.ts";
import { aMerchant, anOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { download, type Exported } from "./export-client.fixture.ts";

withDatabase();
const app = withApp();

let shop: TestMerchant;
let other: TestMerchant;
let member: TestMember;

beforeAll(async () => {
  [shop, other] = [await aMerchant(), await aMerchant()];
  member = await aMember(shop.merchant.businessId, "viewer");
  await addOrder(shop.merchant.id);
});

/** A statement needs its month, and the rows of a file of top-ups need its order. */
function needed(path: string, merchant: string): Record<string, string> {
  if (path.endsWith("/wallet-statement")) return { month: lagosDay(new Date()).slice(0, 7) };
  return path.endsWith("/bulk-order-rows") ? { order: orderOf(merchant) } : {};
}

/** The id of the one file of top-ups that each merchant has. */
const orderOf = (merchant: string) => `blk_of_${merchant}`;

const addOrder = (merchant: string) =>
  db()
    .insert(bulkOrders)
    .values({ merchantId: merchant, id: orderOf(merchant), service: "airtime", madeBy: "system:test" });

type Changes = NonNullable<Parameters<typeof download>[3]>;

/** Opens an export, and again while the session's rate limit refuses it. */
async function open(
  path: string,
  {
    by = member,
    merchant,
    filters,
    ...changes
  }: Changes & { by?: { token: string }; merchant?: string; filters?: Record<string, string> } = {},
) {
  const of = merchant ?? shop.merchant.id;
  const query = new URLSearchParams({ merchant: of, ...needed(path, of), ...filters });
  return until(async () => {
    const file = await download(app, by, `${path}?${query}`, changes);
    return file.status !== 429 && file;
  });
}

/** As a script asks: it gets the API's error answer. */
const AS_SCRIPT = { Accept: "*/*" };

function expectRefused({ status, text, headers }: Exported, code: ErrorCode): void {
  expect({ status, code: JSON.parse(text).error.code }).toEqual({ status: ERROR_STATUS[code], code });
  expect(headers.get("content-disposition")).toBeNull();
}

describe.each(exportEndpoints)("$path", ({ path, route: { declaration } }) => {
  test("every role that may read the list has it as a file, in test and in live mode", async () => {
    for (const role of ROLES) {
      const by = await aMember(shop.merchant.businessId, role);
      if (mayRole(role, declaration.permission, "test")) expect((await open(path, { by })).status).toBe(200);
      else expectRefused(await open(path, { by, changes: AS_SCRIPT }), "PERMISSION_DENIED");
    }
    const list = path.split("/").at(-1);
    const by = await aMember(shop.merchant.businessId, "owner");
    const { status, headers, text } = await open(path, { by, merchant: shop.liveMerchantId, changes: AS_SCRIPT });
    if (declaration.area) expect(JSON.parse(text).error.code).toBe("SERVICE_NOT_ENABLED");
    else {
      expect(status).toBe(200);
      expect(headers.get("content-disposition")).toMatch(
        new RegExp(`^attachment; filename="oja-${list}(-20\\d\\d-\\d\\d)?-live-20\\d\\d-\\d\\d-\\d\\d\\.csv"$`),
      );
    }
  });

  test("a member of another business finds no merchant here, and an unknown merchant is not found", async () => {
    const stranger = await aMember(other.merchant.businessId, "owner");
    expectRefused(await open(path, { by: stranger, changes: AS_SCRIPT }), "RESOURCE_NOT_FOUND");
    for (const merchant of ["mer_unknown", "\u0000"])
      expectRefused(await open(path, { merchant, changes: AS_SCRIPT }), "RESOURCE_NOT_FOUND");
  });

  test.each([undefined, "cross-site", "same-site", "none", "same-origin, cross-site"])(
    "a link of another page (Sec-Fetch-Site: %s) is refused",
    async (site) => {
      expectRefused(await open(path, { changes: { ...AS_SCRIPT, "Sec-Fetch-Site": site } }), "PERMISSION_DENIED");
    },
  );

  test("without a session, with keys, or by HEAD it is refused", async () => {
    expectRefused(await open(path, { changes: { ...AS_SCRIPT, Cookie: undefined } }), "MISSING_CREDENTIALS");
    const keys = { "X-Api-Key": shop.key.publicKey, "X-Api-Secret": shop.key.secretKey };
    expectRefused(await open(path, { changes: { ...AS_SCRIPT, ...keys } }), "MISSING_CREDENTIALS");
    expect((await open(path, { method: "HEAD" })).status).toBe(405);
    expect((await open(path, { method: "POST", changes: { Origin: app.url } })).status).toBe(405);
  });

  test("an export takes the merchant from the link only, and refuses a link that names none or two", async () => {
    const ask = (query: string) =>
      download(app, member, `${path}?${query}`, { changes: { ...AS_SCRIPT, "Oja-Merchant": shop.merchant.id } });
    for (const query of ["", `merchant=${shop.merchant.id}&merchant=${other.merchant.id}`]) {
      const answered = async () => {
        const answer = await ask(query);
        return answer.status !== 429 && answer;
      };
      expectRefused(await until(answered), "VALIDATION_ERROR");
    }
  });

  test("an unknown parameter and an unreadable one are refused by name, because the whole list would look like the answer", async () => {
    const by = await aMember(shop.merchant.businessId, "owner");
    const nameless = await open(path, { by, filters: { from: "27/11/2026", "<b>": "1", "\u0000": "2" }, changes: AS_SCRIPT });
    expectRefused(nameless, "VALIDATION_ERROR");
    const { errors } = JSON.parse(nameless.text).error;
    expect(errors.map(({ param }: { param: string }) => param)).toEqual(["from", "<b>", "\ufffd"]);
    expect(errors[0].message).toMatch(/^Unknown parameter\. Remove it, or send one of these: merchant/);
    const filters = Object.keys(declaration.query?.shape ?? {});
    for (const name of filters.filter((each) => each.startsWith("created_") || each === "month")) {
      const unread = await open(path, { by, filters: { [name]: "27/11/2026" }, changes: AS_SCRIPT });
      expectRefused(unread, "VALIDATION_ERROR");
      expect(JSON.parse(unread.text).error.message).toMatch(new RegExp(`^${name}: Send a (time|month) like`));
    }
  });

  test("an area that is off is refused, and a suspended merchant may export", async () => {
    const [closed, suspended] = [await aMerchant({ areas: [] }), await aMerchant()];
    await addOrder(suspended.merchant.id);
    await suspendMerchant(anOperator, suspended.merchant.id, "The bank asked for it.");
    const [visitor, owner] = [await aMember(closed.merchant.businessId, "owner"), await aMember(suspended.merchant.businessId, "owner")];
    const off = await open(path, { by: visitor, merchant: closed.merchant.id, changes: AS_SCRIPT });
    if (declaration.area) expectRefused(off, "SERVICE_NOT_ENABLED");
    else expect(off.status).toBe(200);
    expect((await open(path, { by: owner, merchant: suspended.merchant.id })).status).toBe(200);
  });
});

test("a person who clicked a link reads in a page why it was refused, with the request's id", async () => {
  const { status, text, headers } = await open("/api/dashboard/exports/wallet", { changes: { "Sec-Fetch-Site": "none" } });
  expect(status).toBe(403);
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(headers.get("content-disposition")).toBeNull();
  expect(text).toContain("The download did not begin");
  expect(text).toContain(`Open it at ${app.url}`);
  expect(text).toContain(headers.get("request-id"));
});

test("a filter that is wrong is named, as text, also where it looks like markup", async () => {
  const path = (query: Record<string, string>) =>
    `/api/dashboard/exports/payment-links?${new URLSearchParams({ merchant: shop.merchant.id, ...query })}`;
  const refused = await download(app, member, path({ status: "<b>paid</b>", min_amount: "1e3" }), { changes: AS_SCRIPT });
  expectRefused(refused, "VALIDATION_ERROR");
  expect(JSON.parse(refused.text).error.errors.map(({ param }: { param: string }) => param)).toEqual(["status", "min_amount"]);
  const shown = await download(app, member, path({ status: "<b>paid</b>" }));
  expect(shown.text).not.toContain("<b>");
});

test("an export has a row in the merchant's request log that names the member", async () => {
  const { headers } = await open("/api/dashboard/exports/wallet");
  const row = () => sql()`select user_id, path, status, error_code from request_log where id = ${headers.get("request-id")}`;
  await until(async () => (await row()).length === 1);
  expect(await row()).toEqual([{ user_id: member.userId, path: "/api/dashboard/exports/wallet", status: 200, error_code: null }]);
});
