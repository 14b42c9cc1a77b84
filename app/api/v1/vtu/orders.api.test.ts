import { beforeAll, describe, expect, test } from "vitest";
import { aVtuMerchant } from "#services/vtu/vtu.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import type { Api } from "../api.fixture.ts";
import { airtimeBody, bodies, electricityBody, ids, type Kind, readProductIds, VTU } from "./vtu-api.fixture.ts";

withDatabase();
const app = withApp();

let api: Api;
beforeAll(async () => {
  api = apiClient(app, (await aVtuMerchant()).key);
  await readProductIds();
});

describe("an order with bad fields", () => {
  test.each<[string, Kind, object, string]>([
    ["no network", "airtime", { network: undefined }, "network"],
    ["an unknown network", "airtime", { network: "visafone" }, "network"],
    ["a network that is a number", "airtime", { network: 5 }, "network"],
    ["a phone that is too short", "airtime", { phone: "080312345" }, "phone"],
    ["a phone from abroad", "airtime", { phone: "+447911123456" }, "phone"],
    ["a landline", "airtime", { phone: "012345678" }, "phone"],
    ["₦49.99 of airtime", "airtime", { amount: 49.99 }, "amount"],
    ["₦50,000.01 of airtime", "airtime", { amount: 50_000.01 }, "amount"],
    ["three decimals", "airtime", { amount: 100.001 }, "amount"],
    ["an amount as text", "airtime", { amount: "100" }, "amount"],
    ["an unknown provider", "airtime", { provider: "Carrier" }, "provider"],
    ["an unknown field", "airtime", { pin: "1234" }, "pin"],
    ["a price as text", "airtime", { expected_price: "100" }, "expected_price"],
    ["allow_duplicate as text", "airtime", { allow_duplicate: "yes" }, "allow_duplicate"],
    ["no plan", "data", { data_plan_id: undefined }, "data_plan_id"],
    ["a plan as text", "data", { data_plan_id: "1001" }, "data_plan_id"],
    ["a plan id above all integers", "data", { data_plan_id: 3_000_000_000 }, "data_plan_id"],
    ["a smart card of 9 digits", "cable", { smart_card_number: "123456789" }, "smart_card_number"],
    ["a smart card with letters", "cable", { smart_card_number: "12345678AB" }, "smart_card_number"],
    ["a bad phone of the customer", "cable", { customer_phone: "12" }, "customer_phone"],
    ["a meter of 12 digits", "electricity", { meter_number: "123456789012" }, "meter_number"],
    ["a meter with letters at a disco whose meters have none", "electricity", { meter_number: "A1234567890" }, "meter_number"],
    ["a meter with a NUL", "electricity", { meter_number: "1234567890\u0000" }, "meter_number"],
    ["an unknown meter type", "electricity", { meter_type: "Smart" }, "meter_type"],
    ["₦499 of electricity", "electricity", { amount: 499 }, "amount"],
    ["₦100,001 of electricity", "electricity", { amount: 100_001 }, "amount"],
    ["an email of 20 KB", "electricity", { customer_email: `${"x".repeat(20_000)}@example.com` }, "customer_email"],
    ["a bad email of the customer", "electricity", { customer_email: "ngozi" }, "customer_email"],
    ["no pins", "exam", { quantity: 0 }, "quantity"],
    ["21 pins", "exam", { quantity: 21 }, "quantity"],
    ["half a pin", "exam", { quantity: 1.5 }, "quantity"],
  ])("with %s (%s) is refused, and the answer names the field", async (_what, kind, changes, param) => {
    const answer = await api.post(`${VTU}/${kind}`, bodies[kind](changes));
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe(param);
  });

  test("is refused, and the answer names every bad field at once", async () => {
    const { body } = await api.post(`${VTU}/electricity`, { disco_id: "x", meter_number: 1, meter_type: null, amount: 1 });
    expect(body.error.errors.map(({ param }: { param: string }) => param)).toEqual(["disco_id", "meter_number", "meter_type", "amount"]);
  });
});

describe("an order", () => {
  test.each(["08031234567", "2348031234567", "+234 803 123 4567", "0803-123-4567", "+234(0)8031234567", "002348031234567"])(
    "understands the phone number %s",
    async (phone) => {
      const { body } = await api.post(`${VTU}/airtime`, airtimeBody({ phone, network: "MTN", provider: "vtu", allow_duplicate: true }));
      expect(body.data.recipient).toBe("+2348031234567");
    },
  );

  test("an order whose network does not match the number is accepted, and the message of a failed one says so", async () => {
    const delivered = await api.post(`${VTU}/airtime`, airtimeBody({ network: "glo", phone: "08031237654" }));
    expect(delivered.body.data.status).toBe("success");
    const failed = await api.post(`${VTU}/airtime`, airtimeBody({ network: "glo", phone: "08031230000" }));
    expect(failed.body.data.message).toMatch(/The number looks like MTN's: check its network\.$/);
  });

  test("understands meter numbers with dashes and spaces, of 13 digits and with letters where the disco has them, and types in any case", async () => {
    const buy = (changes: object) => api.post(`${VTU}/electricity`, electricityBody(changes));
    expect((await buy({ meter_number: "4503-123 4567", meter_type: "postpaid" })).body.data).toMatchObject({
      recipient: "45031234567",
      token: null,
    });
    expect((await buy({ meter_number: "1234567890123" })).body.data.recipient).toBe("1234567890123");
    expect((await buy({ disco_id: ids.letters, meter_number: "a1234567" })).body.data.recipient).toBe("A1234567");
  });
});
