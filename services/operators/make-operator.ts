import { and, eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { members } from "#db/schema/tenants.ts";
import { invalid, Problem } from "#lib/problem.ts";
import { type ApprovedContext, NotCarriedOut } from "../approval.ts";
import { noteInAudit, requireReason } from "../audit/index.ts";
import type { OperatorContext } from "../context.ts";
import { isAbove, lockBusiness, requireAnotherOwner } from "../members/index.ts";
import { PLATFORM_BUSINESS } from "../platform.ts";
import { findVerifiedUser } from "../users/index.ts";
import { verb } from "../verb.ts";
import { requireDecider } from "./decider.ts";
import { type OperatorRole, readOperators, WAITS_MS } from "./operator.ts";

const isMember = (userId: string) => and(eq(members.businessId, PLATFORM_BUSINESS), eq(members.userId, userId));

/** Returns the id of a person with a verified account. Throws VALIDATION_ERROR for anybody else. */
async function personNamed(tx: Tx, email: string): Promise<string> {
  const user = await findVerifiedUser(tx, email);
  if (!user) throw invalid("email", `There is no account with the verified email ${email}. Let the person sign up first, at /sign-up.`);
  return user.id;
}

/**
 * Makes a person the first operator, an owner who decides at once. Throws VALIDATION_ERROR while there is an operator, because others are proposed
 * (`addOperator`), and for an email without a verified account. Locks: business, head of the audit.
 */
export const makeFirstOperator = verb(
  { actor: ["operator"] },
  (ctx: OperatorContext, email: string): Promise<void> =>
    transaction(async (tx) => {
      const { roles } = await lockBusiness(tx, PLATFORM_BUSINESS);
      if (roles.size > 0) throw invalid("email", "There is an operator already, who proposes others: npm run oja -- add-operator EMAIL");
      const userId = await personNamed(tx, email);
      await tx.insert(members).values({ businessId: PLATFORM_BUSINESS, userId, role: "owner", decidesFrom: sql`now()` });
      await noteInAudit(tx, ctx, {
        ...{ businessId: PLATFORM_BUSINESS, action: "operator.added", subject: userId },
        after: { role: "owner" },
      });
    }),
);

interface NewOperator {
  email: string;
  role: OperatorRole;
  reason: string;
  /** What the person was when the operators looked (`readPresentRole`). Absent: anything. */
  was?: string | undefined;
}

const NO_OPERATOR = "no operator";

/** Returns the role of an operator, or `no operator`: the operators who decide about the role read it. */
export async function readPresentRole(email: string): Promise<string> {
  const operator = (await readOperators()).find((one) => one.email === email);
  return operator?.role ?? NO_OPERATOR;
}

/**
 * Makes a person an operator, or gives an operator another role. Somebody new, or with a higher role than before, decides nothing for 72 hours. Returns
 * false for an operator who has the role. Throws VALIDATION_ERROR for an email without a verified account, and where no owner would be left. Locks: business,
 * head of the audit.
 */
export const addOperator = verb(
  { actor: ["operator"], approved: true },
  async (ctx: ApprovedContext, { email, role, reason, was }: NewOperator): Promise<boolean> => {
    const why = requireReason(reason);
    const { tx } = ctx.approval;
    const { roles } = await lockBusiness(tx, PLATFORM_BUSINESS);
    const userId = await personNamed(tx, email);
    const before = roles.get(userId);
    if (before === role) return false;
    if (was !== undefined && was !== (before ?? NO_OPERATOR))
      throw new NotCarriedOut(`${email} is ${before ?? NO_OPERATOR} by now, not ${was}.`);
    if ([ctx.actor.id, ctx.approval.proposedBy].includes(userId)) throw invalid("email", "Two others decide about this person.");
    if (before === "owner") requireAnotherOwner({ roles }, userId, "role");
    const decidesFrom = sql`now() + ${WAITS_MS} * interval '1 ms'`;
    if (before === undefined) await tx.insert(members).values({ businessId: PLATFORM_BUSINESS, userId, role, decidesFrom });
    else
      await tx
        .update(members)
        .set({ role, ...(isAbove(role, before) && { decidesFrom }) })
        .where(isMember(userId));
    await noteInAudit(tx, ctx, {
      ...{
        businessId: PLATFORM_BUSINESS,
        action: before === undefined ? "operator.added" : "operator.role_changed",
        subject: userId,
        reason: why,
      },
      ...{ before: before === undefined ? null : { role: before }, after: { role } },
    });
    return true;
  },
);

/**
 * Takes an operator's rights, at once: one operator who decides is enough, because it gives nobody anything. Returns false for a person who is no operator. Throws
 * PERMISSION_DENIED for anybody who does not decide, and for a role above one's own, and VALIDATION_ERROR for the last owner. Locks: business, head of the audit.
 */
export const removeOperator = verb(
  { actor: ["operator"], named: true },
  async (ctx: OperatorContext, { email, reason }: { email: string; reason: string }): Promise<boolean> => {
    const why = requireReason(reason);
    return transaction(async (tx) => {
      const { roles } = await lockBusiness(tx, PLATFORM_BUSINESS);
      const { role: ownRole } = await requireDecider(tx, ctx);
      const userId = (await findVerifiedUser(tx, email))?.id ?? "";
      const role = roles.get(userId);
      if (role === undefined) return false;
      if (isAbove(role, ownRole)) throw new Problem("PERMISSION_DENIED", `The role ${role} is above yours. Ask an ${role}.`);
      if (role === "owner") requireAnotherOwner({ roles }, userId, "email");
      await tx.delete(members).where(isMember(userId));
      await noteInAudit(tx, ctx, {
        ...{ businessId: PLATFORM_BUSINESS, action: "operator.removed", subject: userId, reason: why, before: { role } },
      });
      return true;
    });
  },
);
