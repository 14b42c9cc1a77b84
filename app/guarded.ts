import { log } from "#lib/log.ts";

type Handler<Next> = (request: Request, next: Next) => Promise<Response>;

/** For routes outside the API's wrapper: a failure is logged as `log` says it, never as Next would print it, with whatever it carries. */
export function guarded<Next>(handle: Handler<Next>): Handler<Next> {
  return async (request, next) => {
    try {
      return await handle(request, next);
    } catch (error) {
      log().error({ method: request.method, path: new URL(request.url).pathname, err: error }, "a request failed");
      const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", "Retry-After": "5" };
      return new Response("Something failed on our side. Try again in a moment.", { status: 503, headers });
    }
  };
}
