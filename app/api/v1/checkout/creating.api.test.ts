import { beforeAll, describe, expect, test } from "vitest";
import { MINUTE_MS } from "#lib/time.ts";
import { aMerchant } from "#services/merchants/merchant.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import type { Api } from "../api.fixture.ts";
import { CREATE, create } from "./checkout-api.fixture.ts";

withDatabase();
const app = withApp();

let api: Api;
beforeAll(async () => {
  api = apiClient(app, (await aMerchant()).key);
});

describe("creating a payment link", () => {
  test("answers 201 with every field of the contract, for a link that is open for 30 minutes", async () => {
    const fields = {
      amount: 1234.56,
      description: "Order 1042",
      customer_name: "Ngozi",
      customer_email: "ngozi@example.com",
      callback_url: "https://shop.example/thanks?cart=1",
      metadata: { cart: "1" },
    };
    const { status, body } = await api.post(CREATE, fields);
    expect(status).toBe(201);
    expect(body).toMatchObject({ success: true, ...fields, currency: "NGN", status: "pending", paid_at: null, transfers: [] });
    expect(body.payment_link).toBe(`${app.url}/pay/${body.reference}`);
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(30 * MINUTE_MS);
    expect(body.reference).toMatch(/^[0-9A-HJKMNP-TV-Z]{33}$/);
  });

  test.each([
    ["an amount below the minimum", { amount: 99.99 }, "amount"],
    ["an amount above the maximum", { amount: 10_000_000.01 }, "amount"],
    ["three decimals", { amount: 100.005 }, "amount"],
    ["a string as amount", { amount: "5000" }, "amount"],
    ["no amount", { amount: undefined }, "amount"],
    ["a description of 201 characters", { description: "é".repeat(201) }, "description"],
    ["a NUL in a name", { customer_name: "a\u0000b" }, "customer_name"],
    ["a lone surrogate", { description: "\ud800" }, "description"],
    ["a bad email address", { customer_email: "nobody" }, "customer_email"],
    ["a script as callback", { callback_url: "javascript:alert(1)" }, "callback_url"],
    ["a script with a line break in its name", { callback_url: "java\nscript:alert(1)" }, "callback_url"],
    ["data as callback", { callback_url: "data:text/html,<script>alert(1)</script>" }, "callback_url"],
    ["a callback without a scheme", { callback_url: "//evil.example" }, "callback_url"],
    ["a callback that looks like another host", { callback_url: "https://shop.example@evil.example" }, "callback_url"],
    ["a callback with a password", { callback_url: "https://a:b@shop.example" }, "callback_url"],
    ["21 metadata values", { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, "v"])) }, "metadata"],
    ["metadata that is not text", { metadata: { a: 1 } }, "metadata.a"],
    ["an unknown field", { amout: 5 }, "amout"],
    ["a long number as text", { description: 1234567890123456 }, "description"],
  ])("refuses %s and names the field", async (_what, fields, param) => {
    const answer = await api.post(CREATE, { amount: 5_000, ...fields });
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe(param);
  });

  test("names every bad field at once", async () => {
    const { body } = await api.post(CREATE, { amount: 1, customer_email: "x", extra: true });
    expect(body.error.errors.map(({ param }: { param: string }) => param).sort()).toEqual(["amount", "customer_email", "extra"]);
  });

  test("keeps 200 characters of any script unchanged", async () => {
    const description = "👩🏾‍🌾".repeat(50);
    expect((await create(api, { description })).description).toBe(description);
  });

  test("an amount with the rounding digits of a double is read as its two decimals, and a third decimal is refused", async () => {
    const amountOf = async (text: string) => (await api.call("POST", CREATE, { raw: `{"amount": ${text}}` })).body.amount;
    expect([await amountOf("5000.00000000000000001"), await amountOf("1234.5599999999999")]).toEqual([5000, 1234.56]);
    const third = await api.call("POST", CREATE, { raw: '{"amount": 5000.001}' });
    expectError(third, "VALIDATION_ERROR");
    expect(third.body.error.errors).toEqual([{ param: "amount", message: "Send at most two decimals." }]);
  });

  test("refuses a callback address that its encoding makes longer than 2,048 characters", async () => {
    const at = (length: number) => `https://shop.example/${"é".repeat(length)}`;
    expect((await create(api, { callback_url: at(337) })).callback_url).toHaveLength(21 + 337 * 6);
    const answer = await api.post(CREATE, { amount: 5_000, callback_url: at(338) });
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe("callback_url");
  });

  test("refuses a field named __proto__", async () => {
    const answer = await api.call("POST", CREATE, { raw: '{"amount": 5000, "metadata": {"__proto__": "x"}}' });
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe("__proto__");
  });

  test("refuses a body that is not JSON, is not declared as JSON or is too long", async () => {
    expectError(await api.call("POST", CREATE, { raw: '{"amount": 5000' }), "MALFORMED_JSON");
    expectError(await api.call("POST", CREATE, { raw: new Uint8Array([0x22, 0xff, 0x22]) }), "MALFORMED_JSON");
    expectError(
      await api.call("POST", CREATE, { raw: "amount=5000", headers: { "Content-Type": "application/x-www-form-urlencoded" } }),
      "UNSUPPORTED_MEDIA_TYPE",
    );
    expectError(await api.post(CREATE, { amount: 5_000, description: "x".repeat(70_000) }), "PAYLOAD_TOO_LARGE");
    expectError(await api.call("POST", CREATE, { raw: "[]" }), "VALIDATION_ERROR");
    expectError(await api.call("POST", CREATE, { raw: '"5000"' }), "VALIDATION_ERROR");
  });
});
