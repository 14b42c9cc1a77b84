import { z } from "zod";
import { logFailure } from "#app/log-failure.ts";
import { Problem } from "#lib/problem.ts";
import { ClientGone } from "#lib/read-at-most.ts";
import type { MerchantContext } from "#services/context.ts";
import { admit } from "./admit.ts";
import { type Answer, toResponse } from "./answers.ts";
import { beginCall, type Call } from "./call.ts";
import type { Declaration, Input, NoBody } from "./declaration.ts";
import { toRevalidatedResponse } from "./etag.ts";
import { identify } from "./identify.ts";
import { problemResponse } from "./problems.ts";
import { readInput } from "./read-input.ts";
import { recordCall } from "./request-log.ts";
import { runOnce } from "./run-once.ts";

type NextContext = { params: Promise<unknown> };

/** A route with its declaration. It keeps the types of its schemas, so that a page can call it with types (app/_client/call.ts). */
export interface MerchantRoute<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodObject = z.ZodObject,
  Params extends z.ZodType = z.ZodType,
  Returns extends Record<number, z.ZodType> = Record<number, z.ZodType>,
> {
  (request: Request, next: NextContext): Promise<Response>;
  declaration: Declaration<z.ZodType, z.ZodObject, z.ZodType>;
  /** The types of the schemas. It has no value: a page reads it by a type import, which brings no code. */
  schemas?: { body: Body; query: Query; params: Params; returns: Returns };
}

export const Anything = z.looseObject({});

/**
 * Returns the route of a merchant endpoint. Every endpoint uses this wrapper. Its steps have a file each and run in the contract's order:
 * identify → admit (area, permission, rate) → read-input → run-once (Idempotency-Key). The handler then checks resource, state and balance.
 */
export function merchantRoute<
  Body extends z.ZodType = typeof NoBody,
  Query extends z.ZodObject = typeof Anything,
  Params extends z.ZodType = typeof Anything,
  Returns extends Record<number, z.ZodType> = Record<number, z.ZodType>,
>(
  declaration: Declaration<Body, Query, Params, Returns>,
  handle: (ctx: MerchantContext, input: Input<Body, Query, Params>) => Promise<Answer>,
): MerchantRoute<Body, Query, Params, Returns> {
  const route = async (request: Request, next: NextContext): Promise<Response> => {
    const call = beginCall(request, declaration);
    try {
      const ctx = admit(call, await identify(call, request, declaration.callers ?? "both"), declaration);
      const input = await readInput(request, call.url.searchParams, await next.params, declaration);
      const answer = await runOnce(call, request, declaration, ctx, input, handle);
      const response = declaration.revalidates ? toRevalidatedResponse(call, request, answer) : toResponse(answer, call.headers);
      recordCall(call, response.status);
      return response;
    } catch (error) {
      if (error instanceof ClientGone) return answerToNobody(call);
      const problem = toProblem(error, call);
      const response = problemResponse(problem, call.requestId, call.headers);
      recordCall(call, response.status, problem);
      return response;
    }
  };
  return Object.assign(route, { declaration: declaration as unknown as MerchantRoute["declaration"] });
}

/** What nginx calls "client closed request": no client reads it, and the logs tell it from a failure of ours. */
const CLIENT_CLOSED_REQUEST = 499;

function answerToNobody(call: Call): Response {
  recordCall(call, CLIENT_CLOSED_REQUEST);
  return new Response(null, { status: CLIENT_CLOSED_REQUEST });
}

function toProblem(error: unknown, { requestId, method, path }: Call): Problem {
  if (error instanceof Problem) return error;
  logFailure(error, { requestId, method, path });
  return new Problem(
    "INTERNAL_ERROR",
    "Something failed on our side. Ask for the status before you send it again, and quote request_id to support.",
  );
}
