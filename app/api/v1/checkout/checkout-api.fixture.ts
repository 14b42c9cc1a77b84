import { sandboxRequestSecret } from "#lib/sandbox-link.ts";
import { sign } from "#lib/signature.ts";
import type { App } from "#testing/app.ts";
import type { Api } from "../api.fixture.ts";

export const CREATE = "/api/v1/checkout/create";
export const statusOf = (reference: string) => `/api/v1/checkout/status?reference=${reference}`;
export const transferTo = (reference: string) => `/api/v1/test/checkout/${reference}/transfer`;
export const expiryOf = (reference: string) => `/api/v1/test/checkout/${reference}/expire`;

/** Creates a link of ₦5,000. Returns the body of the answer. */
export const create = async (api: Api, fields: Record<string, unknown> = {}) => (await api.post(CREATE, { amount: 5_000, ...fields })).body;

/** Sends a signed call to the sandbox bank, for example to order a fault. */
export async function askSandbox(app: App, operation: string, content: Record<string, unknown>): Promise<void> {
  const body = JSON.stringify(content);
  const headers = { "content-type": "application/json", "x-sandbox-signature": sign(sandboxRequestSecret(), body) };
  const { status } = await fetch(`${app.url}/sandbox/bank/${operation}`, { method: "POST", headers, body });
  if (status !== 200) throw new Error(`the sandbox bank answered ${status} to ${operation}`);
}
