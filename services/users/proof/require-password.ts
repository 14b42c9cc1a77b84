import type { MemberContext } from "../../context.ts";
import { hasSecondFactor } from "../factors/factors.ts";
import { proveAgain, requireRight } from "./prove-again.ts";

/**
 * Asks a member for the password again, before an act that a thief of an open browser must not do. Wrong codes stay counted: the password
 * does not give new attempts at them. Throws VALIDATION_ERROR for a wrong password, and RATE_LIMITED after too many or when too many wait.
 */
export const requirePassword = (ctx: MemberContext, password: string): Promise<void> =>
  proveAgain(ctx, async (begun) => {
    const { user, tried } = begun;
    await requireRight(ctx, begun, password);
    await ((await hasSecondFactor(user.id)) ? tried.uncount() : tried.succeed());
  });
