import { logFailure } from "./log-failure.ts";

type Handler<Next> = (request: Request, next: Next) => Response | Promise<Response>;

/**
 * Wraps a route outside the API's wrapper. Logs a failure through `logFailure` and answers 503. Next itself would print the whole error,
 * with any secret in it.
 */
export function guarded<Next>(handle: Handler<Next>): (request: Request, next: Next) => Promise<Response> {
  return async (request, next) => {
    try {
      return await handle(request, next);
    } catch (error) {
      logFailure(error, { method: request.method, path: new URL(request.url).pathname });
      const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", "Retry-After": "5" };
      return new Response("Something failed on our side. Try again in a moment.", { status: 503, headers });
    }
  };
}
