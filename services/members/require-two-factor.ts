import { and, eq, isNotNull, sql } from "drizzle-orm";
import { db, type Tx, transaction } from "#db/client.ts";
import { businesses } from "#db/schema/tenants.ts";
import { passkeys, totpSecrets } from "#db/schema/two-factor.ts";
import { invalid, Problem } from "#lib/problem.ts";
import { DAY_MS, isoOrNull } from "#lib/time.ts";
import { noteInAudit } from "../audit/index.ts";
import type { MemberContext } from "../context.ts";
import { markExecuted } from "../idempotency/index.ts";
import type { ProvenContext } from "../proven.ts";
import { verb } from "../verb.ts";
import { requireUnrestricted } from "./require-unrestricted.ts";
import { lockTeam } from "./team.ts";

/** A session that began before the rule stays usable for this long, so that the rule does not stop a person in the middle of a task. */
const GRACE_MS = DAY_MS;

/**
 * Returns whether a member without a second factor is locked out of the business until there is one. `missingSince` is the time since which the
 * business asks for one, if the member has none.
 */
export const isLockedOut = (missingSince: Date | null, { createdAt }: { createdAt: Date }, now = new Date()): boolean =>
  missingSince !== null && (createdAt > missingSince || now.getTime() > missingSince.getTime() + GRACE_MS);

/** Returns since when the members of the business need a second factor. Null: each member chooses. */
export async function getTwoFactorRule({ merchant }: MemberContext): Promise<Date | null> {
  const [business] = await db()
    .select({ since: businesses.twoFactorRequiredAt })
    .from(businesses)
    .where(eq(businesses.id, merchant.businessId));
  return business?.since ?? null;
}

/**
 * Makes a second factor due for all members, or lets each choose again. Returns since when it is due. Throws PERMISSION_DENIED for anybody who is not
 * an owner, and VALIDATION_ERROR for an owner without a second factor, because the rule would lock that owner out.
 */
export const requireTwoFactor = verb(
  { permission: "team:write", proof: "manage_team" },
  async (ctx: ProvenContext<"manage_team">, isRequired: boolean): Promise<Date | null> => {
    if (!isRequired) await requireUnrestricted(ctx);
    const { businessId } = ctx.merchant;
    return transaction(async (tx) => {
      await markExecuted(tx, ctx);
      const { ownRole } = await lockTeam(tx, ctx);
      if (ownRole !== "owner") throw new Problem("PERMISSION_DENIED", "Only an owner decides this. Ask an owner.");
      const [business] = await tx.select({ since: businesses.twoFactorRequiredAt }).from(businesses).where(eq(businesses.id, businessId));
      const before = business?.since ?? null;
      if ((before !== null) === isRequired) return before;
      if (isRequired && !(await hasSecondFactor(tx, ctx))) {
        throw invalid("required", "Turn two-step sign-in on for yourself first, on the page Your security.");
      }
      const [changed] = await tx
        .update(businesses)
        .set({ twoFactorRequiredAt: isRequired ? sql`now()` : null })
        .where(eq(businesses.id, businessId))
        .returning({ since: businesses.twoFactorRequiredAt });
      const after = changed?.since ?? null;
      await noteInAudit(tx, ctx, {
        ...{ businessId, action: "two_factor_rule.changed", subject: businessId },
        ...{ before: { required_since: isoOrNull(before) }, after: { required_since: isoOrNull(after) } },
      });
      return after;
    });
  },
);

async function hasSecondFactor(tx: Tx, { actor }: MemberContext): Promise<boolean> {
  const apps = await tx.$count(totpSecrets, and(eq(totpSecrets.userId, actor.id), isNotNull(totpSecrets.confirmedAt)));
  return apps > 0 || (await tx.$count(passkeys, eq(passkeys.userId, actor.id))) > 0;
}
