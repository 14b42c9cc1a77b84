import { expect, test } from "vitest";
import { createApiKey } from "#services/api-keys/index.ts";
import { withDatabase } from "#testing/database.ts";
import { aMerchant, byOperator } from "../../services/merchants/merchant.fixture.ts";
import { admit } from "./admit.ts";
import { beginCall } from "./call.ts";
import { identify } from "./identify.ts";

withDatabase();

test("the context of a request with keys has the permissions of its key, and no role", async () => {
  const { ctx } = await aMerchant();
  const key = await createApiKey(byOperator(ctx), { name: "reader", permissions: ["vtu:read", "wallet:read"] });
  const headers = { "x-api-key": key.publicKey, "x-api-secret": key.secretKey };
  const request = new Request("http://localhost/api/v1/wallet", { headers });
  const call = beginCall(request);
  const admitted = admit(call, await identify(call, request, { callers: "keys" }), { permission: "wallet:read" });
  expect(admitted.permissions).toEqual(["vtu:read", "wallet:read"]);
  expect(admitted.role).toBeUndefined();
});
