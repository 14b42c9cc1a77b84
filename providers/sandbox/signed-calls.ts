import { request } from "undici";
import { sign } from "#lib/signature.ts";

const TIMEOUT_MS = 5_000;

export interface Reply {
  status: number;
  body: unknown;
}

export type Call = (operation: string, body: Record<string, unknown>) => Promise<Reply>;

/** Returns a function that calls an API of the sandbox. It rejects if there is no answer within 5 s, or the answer is not JSON. */
export function signedCalls(url: string, secret: string): Call {
  return async (operation, body) => {
    const text = JSON.stringify(body);
    const reply = await request(`${url}/${operation}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-sandbox-signature": sign(secret, text) },
      body: text,
      // One timeout covers connection, headers and body, so that nothing is sent after it.
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: reply.statusCode, body: await reply.body.json() };
  };
}
