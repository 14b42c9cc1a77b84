import { createApiKey } from "#services/api-keys/index.ts";
import { aMerchant, byOperator } from "#services/merchants/merchant.fixture.ts";
import { type ApiAnswer, apiClient } from "#testing/api.ts";
import type { App } from "#testing/app.ts";

/** Settings of an app that believes `X-Forwarded-For`, so that a test can choose the client's address. */
export const TRUST_THIS_MACHINE = { TRUSTED_PROXIES: "127.0.0.1, ::1" };

export const WALLET = "/api/v1/wallet";

let addresses = 0;
/** Returns the options of a request from a client address that this file has not used yet. There are 250 of them. */
export const fromNewAddress = () => ({ headers: { "X-Forwarded-For": `203.0.113.${++addresses % 250}` } });

/** Creates a merchant with one key. */
export async function aKey(changes: Partial<Parameters<typeof createApiKey>[1]> = {}) {
  const { merchant, ctx } = await aMerchant();
  return { ctx, merchant, key: await createApiKey(byOperator(ctx), { name: "k", ...changes }) };
}

/** Returns a function that reads the wallet with the given keys, each time from a new address. */
export const readWallet =
  (app: App) =>
  (keys: Parameters<typeof apiClient>[1]): Promise<ApiAnswer> =>
    apiClient(app, keys).get(WALLET, fromNewAddress());
