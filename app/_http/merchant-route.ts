import { z } from "zod";
import type { MerchantContext } from "#services/context.ts";
import { type Answer, toResponse } from "./answers.ts";
import type { Declaration, Input, NoBody } from "./declaration.ts";
import { toRevalidatedResponse } from "./etag.ts";
import { recordCall } from "./request-log.ts";
import { runOnce } from "./run-once.ts";
import { type NextContext, serveCall } from "./serve-call.ts";

/** A route with its declaration. It keeps the types of its schemas, so that a page can call it with types (app/_client/call.ts). */
export interface MerchantRoute<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodObject = z.ZodObject,
  Params extends z.ZodType = z.ZodType,
  Returns extends Record<number, z.ZodType> = Record<number, z.ZodType>,
> {
  (request: Request, next: NextContext): Promise<Response>;
  declaration: Declaration<z.ZodType, z.ZodObject, z.ZodType>;
  /** The types of the schemas. It has no value at run time: a page reads it by a type import, which adds no code to the page. */
  schemas?: { body: Body; query: Query; params: Params; returns: Returns };
}

export const Anything = z.looseObject({});

/**
 * Returns the route of a merchant endpoint that answers with JSON. `serveCall` runs the steps that all endpoints share; then run-once
 * (Idempotency-Key) calls the handler, which checks resource, state and balance.
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
  const route = (request: Request, next: NextContext): Promise<Response> =>
    serveCall(request, next, declaration, {
      respond: async (call, ctx, input) => {
        const answer = await runOnce(call, request, declaration, ctx, input, handle);
        const response = declaration.revalidates ? toRevalidatedResponse(call, request, answer) : toResponse(answer, call.headers);
        recordCall(call, response.status);
        return response;
      },
    });
  return Object.assign(route, { declaration: declaration as unknown as MerchantRoute["declaration"] });
}
