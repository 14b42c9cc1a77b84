import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { isOfPeople } from "#lib/faces.ts";
import { aMember, type TestMember } from "#services/members/member.fixture.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { rawRequest } from "#testing/raw-http.ts";
import { ROOT } from "./runtime.ts";

withDatabase();
const app = withApp({ DASHBOARD_URL: "http://dashboard.example" }, { pages: true });

const DASHBOARD = "dashboard.example";
const elsewhere = () => new URL(app.url).host;

let shop: TestMerchant;
let member: TestMember;
beforeAll(async () => {
  shop = await aMerchant();
  member = await aMember(shop.merchant.businessId, "owner");
});

/** Returns the status of a GET at a host, with the code of an error. */
async function get(host: string, path: string, headers: string[] = []): Promise<string> {
  const answer = await rawRequest(app.url, [`GET ${path} HTTP/1.1`, `Host: ${host}`, "Connection: close", ...headers]);
  return [/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1], /"code":"([A-Z_]+)"/.exec(answer)?.[1]].filter(Boolean).join(" ");
}
const keys = () => [`X-Api-Key: ${shop.key.publicKey}`, `X-Api-Secret: ${shop.key.secretKey}`];
const session = () => [`Cookie: oja-session=${member.token}`, `Oja-Merchant: ${shop.merchant.id}`, "Sec-Fetch-Site: same-origin"];

describe("with a host of its own for the dashboard", () => {
  test.each(["/sign-in", "/sign-up", "/verify", "/reset", "/not-me", "/not-our-account", "/refund-account", "/remove-second-step"])(
    "%s is served on the dashboard's host and on no other",
    async (path) => {
      expect(await get(DASHBOARD, path)).toBe("200");
      expect(await get(DASHBOARD.toUpperCase(), path)).toBe("200");
      expect(await get(elsewhere(), path)).toBe("404 RESOURCE_NOT_FOUND");
      expect(await get("evil.example", path)).toBe("404 RESOURCE_NOT_FOUND");
    },
  );

  test("every page below app/(people) is one of people", () => {
    const pages = readdirSync(join(ROOT, "app/(people)"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(pages.filter(({ name }) => !isOfPeople(`/${name}`)).map(({ name }) => name)).toEqual([]);
    expect(pages.length).toBeGreaterThan(10);
  });

  test.each(["/test", "/live/security", "/b/biz_x/test", "/api/dashboard/pulse", "/sign-out"])(
    "%s answers 404 on every other host",
    async (path) => {
      expect(await get(elsewhere(), path, session())).toBe("404 RESOURCE_NOT_FOUND");
      expect(await get(DASHBOARD, path, session())).not.toBe("404 RESOURCE_NOT_FOUND");
    },
  );

  test.each([
    [`http://${DASHBOARD}/sign-in`, "evil.example", "200"],
    [`HTTP://${DASHBOARD.toUpperCase()}/sign-in`, "evil.example", "200"],
    ["http://evil.example/sign-in", DASHBOARD, "404 RESOURCE_NOT_FOUND"],
    [`http://${DASHBOARD}@evil.example/sign-in`, DASHBOARD, "404 RESOURCE_NOT_FOUND"],
  ])("a line with the whole address %s is read as the standard says, whatever the header %s is", async (address, host, said) => {
    expect(await get(host, address)).toBe(said);
  });

  test.each(["x:99999", "x:65536", "999.999.999.999", "1.2.3.4.5", "0x100000000", "1e.999", "[::::]", "[1:2]"])(
    "the host %s, which makes no address, gets 404 on every path, and nothing fails",
    async (host) => {
      for (const path of ["/api/v1/wallet", "/pay/SECRETREFERENCE", "/sign-in", "/mailbox/open?key=x", "/test"]) {
        expect(await get(host, path, keys())).toBe("404 RESOURCE_NOT_FOUND");
      }
      expect(await app.wholeLog()).not.toMatch(/"level":50|SECRETREFERENCE/);
    },
  );

  test.each(["/pay/x", "/docs/errors", "/sandbox/bank/accounts", "/api/providers/sandbox/notices"])(
    "%s answers 404 on the dashboard's host",
    async (path) => {
      expect(await get(DASHBOARD, path)).toBe("404 RESOURCE_NOT_FOUND");
    },
  );

  test("on the dashboard's host the API accepts only sessions, and on other hosts only keys", async () => {
    expect(await get(DASHBOARD, "/api/v1/wallet", session())).toBe("200");
    expect(await get(elsewhere(), "/api/v1/wallet", session())).toBe("401 MISSING_CREDENTIALS");
    expect(await get(elsewhere(), "/api/v1/wallet", keys())).toBe("200");
    expect(await get(DASHBOARD, "/api/v1/wallet", keys())).toBe("401 MISSING_CREDENTIALS");
  });

  test("both hosts say whether they are healthy, and serve the files of pages", async () => {
    for (const host of [DASHBOARD, elsewhere()]) {
      expect(await get(host, "/health")).toBe("200");
      expect(await get(host, "/favicon.svg")).toBe("200");
    }
  });
});
