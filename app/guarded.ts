import { logFailure } from "./log-failure.ts";

type Handler<Next> = (request: Request, next: Next) => Response | Promise<Response>;

/** For routes outside the API's wrapper: a failure is logged as `logFailure` says it, never as Next would print it, with whatever it carries. */
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
