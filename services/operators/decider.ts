import type { Tx } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import { lagosDateTime } from "#lib/time.ts";
import type { OperatorContext } from "../context.ts";
import { requireUnrestricted } from "../members/index.ts";
import { isDecider } from "../platform.ts";
import { type Operator, readOperators } from "./operator.ts";

/**
 * Returns the operator who acts, as the database has them now. Throws PERMISSION_DENIED for anybody who is no owner or admin of the platform, who became one
 * less than 72 hours ago, or whose account was restricted a short time ago (`restrict` of services/members).
 */
export async function requireDecider(tx: Tx, ctx: OperatorContext): Promise<Operator> {
  const operator = (await readOperators(tx)).find(({ userId }) => userId === ctx.actor.id);
  if (operator?.role !== "owner" && operator?.role !== "admin")
    throw new Problem("PERMISSION_DENIED", "Operators who are owners or admins decide. Ask one of them.");
  if (!isDecider(operator))
    throw new Problem("PERMISSION_DENIED", `You are new in this role, and decide from ${lagosDateTime(operator.decidesFrom)} (Lagos).`);
  await requireUnrestricted(ctx, tx);
  return operator;
}
