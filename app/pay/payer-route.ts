import { LRUCache } from "lru-cache";
import { clientOf } from "#app/api/_http/client-of.ts";
import { countFailure, giveBackTry, mayTryAnyway, secondsToWait } from "#app/api/_http/rate-limit.ts";
import { log } from "#lib/log.ts";

/** What a route answers with where there is no link to speak of. */
export interface Refusals {
  /** For a reference that is not known, whatever the reason. */
  unknown: (request: Request) => Response | Promise<Response>;
  tooMany: (request: Request, waitSeconds: number) => Response | Promise<Response>;
  failed: (request: Request) => Response | Promise<Response>;
}

type NextContext = { params: Promise<{ reference: string }> };
type Handler = (request: Request, reference: string) => Promise<Response | undefined>;

/** References that this process has found. Each is of a link that exists, so their number and length are bounded. */
const found = new LRUCache<string, true>({ max: 50_000 });

/**
 * The wrapper around every route of a payment link. The handler answers undefined for a reference that is not known; an address
 * that asks for too many of those is answered less often. A failure is logged as `log` says it, never as Next would print it.
 */
export function payerRoute(refusals: Refusals, handle: Handler): (request: Request, next: NextContext) => Promise<Response> {
  return async (request, { params }) => {
    try {
      const { reference } = await params;
      // Who has one of these is no guesser.
      if (found.get(reference)) return (await handle(request, reference)) ?? (await refusals.unknown(request));
      return await answerUnlessGuessing(request, reference, refusals, handle);
    } catch (error) {
      log().error({ method: request.method, path: routeOf(request), err: error }, "a request of a payer failed");
      return withRetry(await refusals.failed(request), RETRY_AFTER_S);
    }
  };
}

const RETRY_AFTER_S = 5;

/**
 * An address over its limit still has a few tries a second: a thousand phones may share it, and one slow guesser must not keep the
 * others from a page that they have never opened.
 */
async function answerUnlessGuessing(request: Request, reference: string, refusals: Refusals, handle: Handler): Promise<Response> {
  const address = clientOf(request);
  const waitSeconds = secondsToWait("references", address);
  const refuse = async () => withRetry(await refusals.tooMany(request, waitSeconds), waitSeconds);
  if (waitSeconds > 0 && !mayTryAnyway("references", address)) return refuse();
  const response = await handle(request, reference);
  if (!response) {
    countFailure("references", address);
    return waitSeconds > 0 ? refuse() : refusals.unknown(request);
  }
  if (waitSeconds > 0) giveBackTry("references", address);
  found.set(reference, true);
  return response;
}

/** A reference opens its page, so it is in no log. */
const routeOf = ({ url }: Request) => new URL(url).pathname.replace(/^(\/pay\/)[^/]+/, "$1…");

function withRetry(response: Response, seconds: number): Response {
  response.headers.set("Retry-After", String(seconds));
  return response;
}

const HEADERS = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex" };
const bare = (status: number) => () => Response.json({ state: "unknown" }, { status, headers: HEADERS });

/** For routes that no person looks at. */
export const BARE_REFUSALS: Refusals = {
  unknown: bare(404),
  tooMany: bare(429),
  failed: bare(503),
};
