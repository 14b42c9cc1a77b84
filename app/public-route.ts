import { clientAddressOf } from "#app/_http/client-address-of.ts";
import { countVisit } from "#app/_http/rate-limit.ts";
import { guarded } from "./guarded.ts";

type Handler<Next> = (request: Request, next: Next) => Response | Promise<Response>;

/**
 * Wraps a route that needs no credentials. Answers 429 to an address that sends too many requests, and treats a failure as `guarded` does.
 * `pages` is the cost of one answer, counted in small pages.
 */
export function publicRoute<Next>(handle: Handler<Next>, { pages = 1 } = {}): (request: Request, next: Next) => Promise<Response> {
  return guarded(async (request, next) => {
    const waitSeconds = countVisit(clientAddressOf(request), pages);
    return waitSeconds === 0 ? handle(request, next) : tooManyVisits(waitSeconds);
  });
}

/** Returns a 429 of plain text. It must cost almost nothing, because a flood of requests makes the server send many of them. */
export function tooManyVisits(waitSeconds: number): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", "Retry-After": String(waitSeconds) };
  return new Response(`Too many requests. Wait ${waitSeconds} s.`, { status: 429, headers });
}
