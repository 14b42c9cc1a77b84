import { request } from "undici";
import { NotConfigured } from "../not-sent.ts";

/** One deadline covers connection, headers and body, so that nothing is sent after it. */
export const TIMEOUT_MS = 8_000;

export interface Reply {
  status: number;
  body: unknown;
}

export type Call = (method: "GET" | "POST", path: string, body?: Record<string, unknown>) => Promise<Reply>;

/** Returns a function that calls Paystack. It rejects with `NotConfigured` without a key, and if there is no answer in JSON within 8 s. */
export function paystackCalls(url: string, secretKey: string | undefined): Call {
  return async (method, path, body) => {
    if (secretKey === undefined) throw new NotConfigured("OJA_PAYSTACK_SECRET_KEY is not set");
    const reply = await request(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${secretKey}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: reply.statusCode, body: await reply.body.json() };
  };
}
