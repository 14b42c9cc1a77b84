import type { z } from "zod";
import { logFailure } from "#app/log-failure.ts";
import { Problem } from "#lib/problem.ts";
import { ClientGone } from "#lib/read-at-most.ts";
import { withinRequest } from "#lib/request-scope.ts";
import type { MerchantContext } from "#services/context.ts";
import { admit } from "./admit.ts";
import { beginCall, type Call } from "./call.ts";
import type { Declaration, Input } from "./declaration.ts";
import { identify } from "./identify.ts";
import { inSlot } from "./in-slot.ts";
import { problemResponse } from "./problems.ts";
import { readInput } from "./read-input.ts";
import { recordCall } from "./request-log.ts";

export type NextContext = { params: Promise<unknown> };

interface Answering<Body extends z.ZodType, Query extends z.ZodObject, Params extends z.ZodType> {
  /** Returns the answer to a request that may proceed, and records the call once its status is known. */
  respond: (call: Call, ctx: MerchantContext, input: Input<Body, Query, Params>) => Promise<Response>;
  /** Absent: the API's error answer. */
  refuse?: (call: Call, problem: Problem) => Response;
}

/**
 * Serves one call of a merchant endpoint. Its steps have a file each and run in the contract's order: identify → admit (area, permission,
 * rate) → read-input → in-slot (waits for a slot of the merchant) → `respond`. Records a call that is refused or fails.
 */
export function serveCall<Body extends z.ZodType, Query extends z.ZodObject, Params extends z.ZodType>(
  request: Request,
  next: NextContext,
  declaration: Declaration<Body, Query, Params>,
  answering: Answering<Body, Query, Params>,
): Promise<Response> {
  const call = beginCall(request, declaration);
  return withinRequest(call.requestId, () => serve(call, request, next, declaration, answering));
}

async function serve<Body extends z.ZodType, Query extends z.ZodObject, Params extends z.ZodType>(
  call: Call,
  request: Request,
  next: NextContext,
  declaration: Declaration<Body, Query, Params>,
  { respond, refuse = (at, problem) => problemResponse(problem, at.requestId, at.headers) }: Answering<Body, Query, Params>,
): Promise<Response> {
  try {
    const ctx = admit(call, await identify(call, request, declaration), declaration);
    const input = await readInput(request, call.url.searchParams, await next.params, declaration, (fields) => {
      call.bodyFields = fields;
    });
    return await inSlot(ctx, request.signal, () => respond(call, ctx, input));
  } catch (error) {
    if (error instanceof ClientGone) return recordClientClosed(call);
    const problem = toProblem(error, call);
    const response = refuse(call, problem);
    recordCall(call, response.status, problem);
    return response;
  }
}

/** The status that nginx calls "client closed request". No client reads it; in the logs it differs from a failure of the service. */
export const CLIENT_CLOSED_REQUEST = 499;

function recordClientClosed(call: Call): Response {
  recordCall(call, CLIENT_CLOSED_REQUEST);
  return new Response(null, { status: CLIENT_CLOSED_REQUEST });
}

/** Returns the error if it is a `Problem`. Logs any other error and returns INTERNAL_ERROR, because it is a failure of the service. */
export function toProblem(error: unknown, { requestId, method, path }: Call): Problem {
  if (error instanceof Problem) return error;
  logFailure(error, { requestId, method, path });
  return new Problem(
    "INTERNAL_ERROR",
    "Something failed on our side. Ask for the status before you send it again, and quote request_id to support.",
  );
}
