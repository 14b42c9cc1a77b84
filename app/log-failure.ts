import { log } from "#lib/log.ts";
import { ClientGone } from "#lib/read-at-most.ts";

/** Logs why a request failed. A client that closed its connection is logged as information, because it is no fault of the service. */
export function logFailure(error: unknown, request: Record<string, unknown>): void {
  if (error instanceof ClientGone) log().info(request, "a client closed its connection");
  else log().error({ ...request, err: error }, "a request failed");
}
