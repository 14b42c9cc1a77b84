import { z } from "zod";
import type { ErrorCode } from "#lib/problem.ts";
import type { Area, MerchantContext } from "#services/context.ts";
import type { Permission } from "#services/merchants/index.ts";

/** The body of an endpoint that declares none. */
export const NoBody = z.strictObject({});

/** Everything that is to be known of an endpoint: validation, OpenAPI and contract tests come from it. */
export interface Declaration<Body extends z.ZodType, Query extends z.ZodObject, Params extends z.ZodType> {
  /** Unique; the operation's name in the OpenAPI document. */
  name: string;
  summary: string;
  description?: string;
  /** Absent where the endpoint belongs to no area. */
  area?: Area;
  /** In live mode the endpoint does not exist. */
  testModeOnly?: boolean;
  permission: Permission;
  params?: Params;
  query?: Query;
  body?: Body;
  /** Of a GET: the answer bears an ETag, and a client that has it already is told so (304). */
  revalidates?: true;
  returns: Record<number, z.ZodType>;
  /** What it can refuse with, beyond what every endpoint can. */
  errors?: readonly ErrorCode[];
  /** Of a POST: how its resource is named before it is made, and presented again for a replay. */
  replay?: {
    newResourceId: () => string;
    /**
     * Whatever it begins is stored under that id first, and a later try sees it: where a later try is refused, nothing was begun, or it
     * is known to have come to nothing. Absent where a provider is asked before anything is stored.
     */
    refusalsAreFinal?: true;
    present: (ctx: MerchantContext, resourceId: string, input: { params: z.output<Params>; body: z.output<Body> }) => Promise<unknown>;
  };
}

export interface Input<Body extends z.ZodType, Query extends z.ZodObject, Params extends z.ZodType> {
  body: z.output<Body>;
  query: z.output<Query>;
  params: z.output<Params>;
}
