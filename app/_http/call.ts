import { newId } from "#lib/ids.ts";
import type { Actor } from "#services/context.ts";
import { clientAddressOf } from "./client-address-of.ts";

/** One request. Each step of the wrapper adds its findings. */
export interface Call {
  requestId: string;
  startedAtMs: number;
  /** The name of the endpoint's declaration. */
  endpoint: string | null;
  method: string;
  url: URL;
  path: string;
  /** The client's address. */
  address: string;
  merchantId?: string;
  actor?: Actor;
  /**
   * As the client sent it, and only if it has the form of a public key: other text may be a secret in the wrong header, which no log may
   * show.
   */
  publicKey?: string;
  /** Whether pages poll the endpoint (`Declaration`). */
  isPolled: boolean;
  /** The names of the body's fields, as they were sent. */
  bodyFields: string[];
  /** The headers of the answer. */
  headers: Record<string, string>;
}

export function beginCall(request: Request, { name = null, isPolled = false }: { name?: string | null; isPolled?: boolean } = {}): Call {
  const requestId = newId("request");
  const url = new URL(request.url);
  return {
    requestId,
    startedAtMs: performance.now(),
    endpoint: name,
    method: request.method,
    url,
    path: url.pathname,
    address: clientAddressOf(request),
    isPolled,
    bodyFields: [],
    headers: { "Request-Id": requestId, "Cache-Control": "no-store" },
  };
}
