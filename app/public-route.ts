import { clientOf } from "#app/_http/client-of.ts";
import { countVisit } from "#app/_http/rate-limit.ts";
import { guarded } from "./guarded.ts";

type Handler<Next> = (request: Request, next: Next) => Response | Promise<Response>;

/**
 * For routes that need no credentials: an address that asks too often is told to wait (429), and a failure is logged as `guarded` does.
 * `pages` says how many small pages an answer costs as much as.
 */
export function publicRoute<Next>(handle: Handler<Next>, { pages = 1 } = {}): (request: Request, next: Next) => Promise<Response> {
  return guarded(async (request, next) => {
    const waitSeconds = countVisit(clientOf(request), pages);
    return waitSeconds === 0 ? handle(request, next) : tooManyVisits(waitSeconds);
  });
}

/** Costs next to nothing: who asks too often would else be served by being refused. */
export function tooManyVisits(waitSeconds: number): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", "Retry-After": String(waitSeconds) };
  return new Response(`Too many requests. Wait ${waitSeconds} s.`, { status: 429, headers });
}
