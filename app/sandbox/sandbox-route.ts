import { guarded } from "#app/guarded.ts";
import { settings } from "#lib/env.ts";

type Handler<Next> = (request: Request, next: Next) => Promise<Response>;

/** For routes of the sandbox: they exist where test mode does. */
export const sandboxRoute = <Next>(handle: Handler<Next>): Handler<Next> =>
  guarded(async (request, next) => (settings().OJA_TEST_MODE ? handle(request, next) : new Response(null, { status: 404 })));
