import { newId } from "#lib/ids.ts";
import type { Actor } from "#services/context.ts";
import { clientOf } from "./client-of.ts";

/** What is known of one request, as far as it has come. */
export interface Call {
  requestId: string;
  startedAtMs: number;
  method: string;
  url: URL;
  path: string;
  /** The client's address. */
  address: string;
  merchantId?: string;
  actor?: Actor;
  /** As it was sent. Text that is no public key may be a secret under the wrong name, and goes into no log. */
  publicKey?: string;
  /** Of the answer. */
  headers: Record<string, string>;
}

export function beginCall(request: Request): Call {
  const requestId = newId("request");
  const url = new URL(request.url);
  return {
    requestId,
    startedAtMs: performance.now(),
    method: request.method,
    url,
    path: url.pathname,
    address: clientOf(request),
    headers: { "Request-Id": requestId, "Cache-Control": "no-store" },
  };
}
