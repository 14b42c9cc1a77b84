import { afterAll, beforeAll } from "vitest";
import { createApiKey } from "#services/api-keys/index.ts";
import { aMerchant, byOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { Dispatcher } from "#services/webhooks/index.ts";
import { apiClient } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withReceivers } from "#testing/receiver.ts";

export const ENDPOINTS = "/api/v1/webhook-endpoints";
export const DELIVERIES = "/api/v1/webhook-deliveries";

/** Returns the headers that carry an Idempotency-Key. */
export const key = (value: string) => ({ headers: { "Idempotency-Key": value } });

/**
 * Runs the app and a dispatcher while the tests of a file run. The file calls `withDatabase` before it, and allows webhooks to loopback.
 * The dispatcher never sweeps, so only a wake-up starts a delivery.
 */
export function withWebhooks() {
  const app = withApp();
  const aReceiver = withReceivers();
  let dispatcher: Dispatcher;
  beforeAll(() => {
    dispatcher = new Dispatcher();
    dispatcher.start();
  });
  afterAll(() => dispatcher.stop());

  async function aShop() {
    const shop = await aMerchant();
    return { shop, api: apiClient(app, shop.key) };
  }

  /** Returns a new merchant with one endpoint at a receiver of its own. */
  async function aSubscriber() {
    const [{ shop, api }, receiver] = [await aShop(), await aReceiver()];
    const { body } = await api.post(ENDPOINTS, { url: `${receiver.url}/hook` });
    return { shop, api, receiver, endpoint: body.data };
  }

  /** Returns an API client with live keys of the same business. */
  async function liveApi(shop: TestMerchant) {
    const keys = await createApiKey(byOperator(shop.liveCtx), { name: "live" });
    return apiClient(app, keys);
  }

  return { app, aShop, aSubscriber, liveApi };
}

/** Creates a payment link and pays it. Returns its reference. */
export async function payALink(api: ReturnType<typeof apiClient>): Promise<string> {
  const { body } = await api.post("/api/v1/checkout/create", { amount: 5_000 });
  await api.post(`/api/v1/test/checkout/${body.reference}/transfer`);
  return body.reference;
}
