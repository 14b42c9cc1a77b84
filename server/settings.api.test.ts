import { describe, expect, test } from "vitest";
import { aMember } from "#services/members/member.fixture.ts";
import { aMerchant } from "#services/merchants/merchant.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";

withDatabase();

describe("without test mode", () => {
  const app = withApp({ OJA_TEST_MODE: "0", BASE_URL: "https://oja.example" }, { pages: true });

  test("the sandbox and its notices answer 404, and test keys are refused", async () => {
    const post = (path: string) => fetch(`${app.url}${path}`, { method: "POST", body: "{}" });
    for (const path of ["/sandbox/bank/accounts", "/sandbox/issuer/cards", "/sandbox/issuer-async/cards", "/sandbox/aggregator/orders"])
      expect((await post(path)).status, path).toBe(404);
    for (const path of ["/sandbox/aggregator-vtpass/pay", "/sandbox/bank/checkout/x", "/api/providers/sandbox/notices"])
      expect((await post(path)).status, path).toBe(404);
    const { key } = await aMerchant();
    expectError(await apiClient(app, key).get("/api/v1/wallet"), "INVALID_CREDENTIALS");
  });

  test("a member finds no test merchant, and finds the live one", async () => {
    const { merchant, liveMerchantId } = await aMerchant();
    const { token } = await aMember(merchant.businessId, "owner");
    const read = (merchantId: string) => {
      const headers = { Cookie: `__Host-oja-session=${token}`, "Sec-Fetch-Site": "same-origin", "Oja-Merchant": merchantId };
      return apiClient(app, undefined).get("/api/v1/wallet", { headers });
    };
    expectError(await read(merchant.id), "RESOURCE_NOT_FOUND");
    expect((await read(liveMerchantId)).status).toBe(200);
  });

  test("every answer tells browsers to use https alone, where BASE_URL is https", async () => {
    for (const path of ["/health", "/nothing", "/_next/image", "/api/v1/wallet", `/health?${"a&".repeat(100)}`]) {
      const { headers } = await fetch(`${app.url}${path}`);
      expect(headers.get("strict-transport-security"), path).toBe("max-age=31536000; includeSubDomains");
    }
  });
});

describe("behind a proxy that TRUSTED_PROXIES does not name", () => {
  const app = withApp({ WEB_CONCURRENCY: "2", PUBLIC_REQUESTS_PER_SECOND: "1000000" }, { pages: true });

  test("the log warns once, however many requests and processes see the proxy", async () => {
    const warnings = () =>
      app
        .log()
        .split("\n")
        .filter((line) => line.includes("X-Forwarded-For arrives"));
    expect(warnings()).toEqual([]);
    // Each request has a connection of its own, so that both processes get some.
    const headers = { "X-Forwarded-For": "203.0.113.1", Connection: "close" };
    await Promise.all(times(40, () => fetch(`${app.url}/health`, { headers })));
    await until(async () => warnings().length > 0);
    await Promise.all(times(40, () => fetch(`${app.url}/health`, { headers })));
    expect(warnings()).toHaveLength(1);
    expect(JSON.parse(warnings()[0] ?? "")).toMatchObject({ level: 40, address: expect.stringContaining("127.0.0.1") });
  });
});

describe("one address", () => {
  const app = withApp({ PUBLIC_REQUESTS_PER_SECOND: "5", TRUSTED_PROXIES: "127.0.0.1, ::1" }, { pages: true });

  test.each([
    "/",
    "/docs/errors",
    "/api/v1/openapi.json",
    "/pay/X/qr.svg",
    "/pay/assets/x.js",
    "/pay/logos/x.webp",
    "/pay/x",
    "/pay/x/status",
    "/sandbox/bank/checkout/x",
  ])("that sends 60 requests for %s at once gets 429 with Retry-After, and another address does not", async (path) => {
    const from = (address: string) => fetch(`${app.url}${path}`, { headers: { "X-Forwarded-For": address } });
    const mine = `198.51.100.${path.length}`;
    const answers = await Promise.all(times(60, () => from(mine)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect((await from(`203.0.113.${path.length}`)).status).not.toBe(429);
  });
});
