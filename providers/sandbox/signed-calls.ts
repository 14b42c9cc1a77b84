import { request } from "undici";
import { sign } from "#lib/signature.ts";

const TIMEOUT_MS = 5_000;

export interface Reply {
  status: number;
  body: unknown;
}

export type Call = (operation: string, body: Record<string, unknown>) => Promise<Reply>;

/** Calls one of the sandbox's APIs. Rejects when there is no answer in time, or it is not JSON. */
export function signedCalls(url: string, secret: string): Call {
  return async (operation, body) => {
    const text = JSON.stringify(body);
    const reply = await request(`${url}/${operation}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-sandbox-signature": sign(secret, text) },
      body: text,
      // One deadline over connection, headers and body: nothing is sent once the caller has given up.
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: reply.statusCode, body: await reply.body.json() };
  };
}

/** No connection means that the provider never heard of it; anything later in a call may have been heard. */
export function isRefusedConnection(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
}
