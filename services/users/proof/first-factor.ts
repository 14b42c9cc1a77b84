import { eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import type { MemberContext } from "../../context.ts";
import { restrict } from "../../members/index.ts";
import { endSessionsOf } from "../../sessions/index.ts";
import type { FactorProof } from "../factors/factor-proof.ts";
import { mailOtherOwners } from "../mail-owners.ts";
import type { UserRow } from "../user.ts";

/** Returns the proof with which a new factor must have begun. It differs if another factor was added or removed in the meantime. */
export const proofDue = (isFirst: boolean): FactorProof => (isFirst ? "mailed_code" : "factor");

/**
 * Ends the other sessions of a member who has added the first second factor, because they began with the password alone; keeps its time, restricts the account for
 * 24 h, and tells the other owners of its businesses. The caller has locked the user.
 */
export async function afterFirstFactor(tx: Tx, ctx: MemberContext, user: UserRow): Promise<void> {
  await endSessionsOf(tx, ctx, user.id, ctx.sessionId);
  await tx.update(users).set({ factorsSince: sql`now()` }).where(eq(users.id, user.id));
  await restrict(tx, user.id);
  await mailOtherOwners(tx, ctx, user, "first_factor");
}
