import type { z } from "zod";
import type { MemberContext, MerchantContext } from "#services/context.ts";
import type { Answer } from "./answers.ts";
import type { Declaration, Input, NoBody } from "./declaration.ts";
import { type Anything, type MerchantRoute, merchantRoute } from "./merchant-route.ts";

type Replay<Params extends z.ZodType, Body extends z.ZodType> = NonNullable<Declaration<Body, z.ZodObject, Params>["replay"]>;
type MemberReplay<Params extends z.ZodType, Body extends z.ZodType> = Omit<Replay<Params, Body>, "present"> & {
  present: (ctx: MemberContext, ...rest: Tail<Parameters<Replay<Params, Body>["present"]>>) => Promise<unknown>;
};
type Tail<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

/** Returns the route of an endpoint that only members call, with a session. As `merchantRoute`; the context names the member's role and session. */
export function dashboardRoute<
  Body extends z.ZodType = typeof NoBody,
  Query extends z.ZodObject = typeof Anything,
  Params extends z.ZodType = typeof Anything,
  Returns extends Record<number, z.ZodType> = Record<number, z.ZodType>,
>(
  {
    replay,
    ...declaration
  }: Omit<Declaration<Body, Query, Params, Returns>, "callers" | "replay"> & { replay?: MemberReplay<Params, Body> },
  handle: (ctx: MemberContext, input: Input<Body, Query, Params>) => Promise<Answer>,
): MerchantRoute<Body, Query, Params, Returns> {
  return merchantRoute(
    {
      ...declaration,
      callers: "sessions",
      ...(replay && { replay: { ...replay, present: (ctx, id, input) => replay.present(memberOf(ctx), id, input) } }),
    },
    (ctx, input) => handle(memberOf(ctx), input),
  );
}

/** Returns the context of a member. Throws an Error for any other: the wrapper lets only sessions in. */
export function memberOf(ctx: MerchantContext): MemberContext {
  const { actor, role, sessionId } = ctx;
  if (actor.type !== "member" || role === undefined || sessionId === undefined) throw new Error(`${actor.type} is no member`);
  return { ...ctx, actor: { type: "member", id: actor.id }, role, sessionId };
}
