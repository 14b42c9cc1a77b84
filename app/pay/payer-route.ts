import { clientAddressOf } from "#app/_http/client-address-of.ts";
import { countFailure, countVisit, countVisitOfLink, secondsToWait } from "#app/_http/rate-limit.ts";
import { logFailure } from "#app/log-failure.ts";
import { tooManyVisits } from "#app/public-route.ts";

/** The answers of a route that cannot show a link. */
export interface Refusals {
  /** For an unknown reference. One answer covers every reason. */
  unknown: (request: Request) => Response | Promise<Response>;
  tooMany: (request: Request, waitSeconds: number) => Response | Promise<Response>;
  failed: (request: Request) => Response | Promise<Response>;
}

type NextContext = { params: Promise<{ reference: string }> };
type Handler = (request: Request, reference: string) => Promise<Response | undefined>;

/**
 * Wraps every route of a payment link. The handler returns undefined for an unknown reference, which becomes 404, or 429 for an address
 * that asked for too many of them. So guesses from one address never close a link that exists. Visits are counted by address, and by link
 * and address, so that the visits of one link cannot use up the whole share of an address. `pages` is as in `publicRoute`.
 */
export function payerRoute(
  refusals: Refusals,
  handle: Handler,
  { pages = 1 } = {},
): (request: Request, next: NextContext) => Promise<Response> {
  return async (request, { params }) => {
    try {
      const { reference } = await params;
      const address = clientAddressOf(request);
      const visitWaitSeconds = countVisit(address, pages) || countVisitOfLink(reference, address);
      if (visitWaitSeconds > 0) return tooManyVisits(visitWaitSeconds);
      return (await handle(request, reference)) ?? (await refuseGuess(request, address, refusals));
    } catch (error) {
      logFailure(error, { method: request.method, path: routeOf(request) });
      return withRetry(await refusals.failed(request), RETRY_AFTER_S);
    }
  };
}

const RETRY_AFTER_S = 5;

async function refuseGuess(request: Request, address: string, refusals: Refusals): Promise<Response> {
  const waitSeconds = secondsToWait("references", address);
  countFailure("references", address);
  if (waitSeconds === 0) return refusals.unknown(request);
  return withRetry(await refusals.tooMany(request, waitSeconds), waitSeconds);
}

/** Returns the path without the reference: a reference opens its page, so no log may contain it. */
const routeOf = ({ url }: Request) => new URL(url).pathname.replace(/^(\/pay\/)[^/]+/, "$1…");

function withRetry(response: Response, seconds: number): Response {
  response.headers.set("Retry-After", String(seconds));
  return response;
}

const HEADERS = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex" };
const bare = (status: number) => () => Response.json({ state: "unknown" }, { status, headers: HEADERS });

/** For routes that a script or a messenger reads. */
export const BARE_REFUSALS: Refusals = {
  unknown: bare(404),
  tooMany: bare(429),
  failed: bare(503),
};
