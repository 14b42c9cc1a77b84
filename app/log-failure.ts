import { log } from "#lib/log.ts";
import { ClientGone } from "#lib/read-at-most.ts";

/** Logs why a request has no proper answer. A client that went away is no error of ours. */
export function logFailure(error: unknown, request: Record<string, unknown>): void {
  if (error instanceof ClientGone) log().info(request, "a client went away");
  else log().error({ ...request, err: error }, "a request failed");
}
