import { and, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { members } from "#db/schema/tenants.ts";
import { Problem } from "#lib/problem.ts";
import type { OperatorContext } from "../context.ts";
import { PLATFORM_BUSINESS } from "../platform.ts";
import { proveByCode } from "../users/index.ts";
import { verb } from "../verb.ts";

export interface Shown {
  email: string;
  /** Of the person's authenticator app, or a recovery code. */
  code: string;
}

/**
 * Returns the context of an operator who shows at the command line who they are. Throws PERMISSION_DENIED, in the same words, for a wrong or used code, an
 * unknown person and one who is no operator, and RATE_LIMITED after too many of them.
 */
export const identifyOperator = verb(
  { actor: ["operator"], operatorRole: "viewer" },
  async (ctx: OperatorContext, { email, code }: Shown): Promise<OperatorContext> => {
    const userId = await proveByCode(ctx, { email, code });
    const [operator] =
      userId === undefined
        ? []
        : await db()
            .select({ role: members.role })
            .from(members)
            .where(and(eq(members.businessId, PLATFORM_BUSINESS), eq(members.userId, userId)));
    if (userId === undefined || !operator)
      throw new Problem(
        "PERMISSION_DENIED",
        "The code is wrong or was used already, or this person is no operator. Wait for the next code of your app.",
      );
    return { ...ctx, actor: { type: "operator", id: userId }, role: operator.role };
  },
);
