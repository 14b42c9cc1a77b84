import { guarded } from "#app/guarded.ts";
import { settings } from "#lib/env.ts";

type Handler<Next> = (request: Request, next: Next) => Promise<Response>;

/** Wraps a route of the sandbox. Returns 404 where test mode is turned off. */
export const sandboxRoute = <Next>(handle: Handler<Next>): Handler<Next> =>
  guarded(async (request, next) => (settings().OJA_TEST_MODE ? handle(request, next) : new Response(null, { status: 404 })));
