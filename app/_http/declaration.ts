import { z } from "zod";
import type { ErrorCode } from "#lib/problem.ts";
import type { Area, MerchantContext } from "#services/context.ts";
import type { MemberPermission } from "#services/members/index.ts";
import type { FileBody, TextBody } from "./body.ts";
import type { Callers } from "./identity.ts";
import type { RequestLimit } from "./rate-limit.ts";

/** The body schema of an endpoint that declares no body. */
export const NoBody = z.strictObject({});

/**
 * How a retry works if its earlier attempt may have been executed. In each case a refused retry proves that none was executed.
 *
 * - `finds`: the handler stores its work under the resource's id before it calls a provider. A retry (`ctx.resumed`) finds this work there, and
 *   finishes it.
 * - `answers`: the verb executes in one transaction, which marks the claim (`markExecuted`). A retry of a marked claim is answered with `present`,
 *   and executes nothing, whatever others have changed since.
 * - `repeats`: nothing was executed that a repetition would execute twice: a question, a challenge.
 */
export type AfterLostAnswer = "finds" | "answers" | "repeats";

/** One endpoint. Its validation, its OpenAPI entry and its contract tests all come from this declaration. */
export interface Declaration<
  Body extends z.ZodType,
  Query extends z.ZodObject,
  Params extends z.ZodType,
  Returns extends Record<number, z.ZodType> = Record<number, z.ZodType>,
> {
  /** The `operationId` of the OpenAPI document; unique. */
  name: string;
  summary: string;
  description?: string;
  /** Absent where the endpoint belongs to no area. */
  area?: Area;
  /** In live mode the endpoint answers RESOURCE_NOT_FOUND. */
  testModeOnly?: boolean;
  permission: MemberPermission;
  /** Absent: keys and sessions both may call. */
  callers?: Callers;
  /**
   * For a GET of sessions that a link opens. A link sends no headers, so the query parameter `merchant` takes the place of `Oja-Merchant`,
   * and the browser must say by `Sec-Fetch-Site` that the link is on a page of ours. A parameter that the endpoint does not declare is refused: a
   * file that ignored a filter would look like the answer to it.
   */
  opensByLink?: true;
  /**
   * For an endpoint of sessions with the permission `self`: a person who has left the business may call it too, so that leaving can be asked for
   * again after a lost answer.
   */
  answersFormerMembers?: true;
  /** Absent: while the merchant is suspended, only a GET is answered. A permission of the whole business heeds both of its merchants. */
  allowedWhileSuspended?: true;
  /** A limit of this endpoint, for all callers of a business together. Counted before the body is read, because a slow body holds memory. */
  limit?: Omit<RequestLimit, "key">;
  /** Pages poll this endpoint. So the merchant's request log gets no row for a successful answer, because such rows would fill it. */
  isPolled?: true;
  params?: Params;
  query?: Query;
  body?: Body;
  /** The body is text of this media type, which `body` checks as one string. Absent: the body is JSON. */
  text?: TextBody;
  /** The body is a file, which `body` checks as bytes. Absent: the body is JSON. */
  file?: FileBody;
  /** For a GET: the answer has an ETag, and a client that sends this tag back gets 304. */
  revalidates?: true;
  returns: Returns;
  /** Error codes of this endpoint, beside those that every endpoint can answer with. */
  errors?: readonly ErrorCode[];
  /** For a POST that moves money out: without an Idempotency-Key it is refused, because a retry without one would be a second order. */
  requiresIdempotencyKey?: true;
  /** For a POST: how to choose the resource's id before the handler runs, and how to present the resource again for a replay. */
  replay?: {
    newResourceId: (ctx: MerchantContext) => string;
    /** Absent if the handler calls a provider first, because then a refused retry proves nothing about an earlier attempt. */
    afterLostAnswer?: AfterLostAnswer;
    /**
     * Fields of the body that the key does not compare: not even a hash of a password or code is kept. `present` checks them again, unless its
     * answer says nothing for which they are asked.
     */
    secretFields?: readonly (keyof z.output<Body> & string)[];
    present: (ctx: MerchantContext, resourceId: string, input: { params: z.output<Params>; body: z.output<Body> }) => Promise<unknown>;
  };
}

export interface Input<Body extends z.ZodType, Query extends z.ZodObject, Params extends z.ZodType> {
  body: z.output<Body>;
  query: z.output<Query>;
  params: z.output<Params>;
}
