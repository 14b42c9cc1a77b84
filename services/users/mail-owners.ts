import { and, asc, eq, inArray, ne } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { businesses, members, users } from "#db/schema/tenants.ts";
import type { Context } from "../context.ts";
import type { ColleagueChange } from "../mails/index.ts";
import { businessesOf } from "./businesses-of.ts";
import { mailColleagueChanged } from "./links.ts";
import type { ChangeOfTeam } from "./team-acts.ts";
import type { UserRow } from "./user.ts";

/** The content of a mail besides the change itself. */
interface About {
  /** The businesses. By default those of which the user is a member. */
  businessIds?: readonly string[];
  /** The changes that the account has made to their teams. */
  changes?: readonly ChangeOfTeam[];
}

/** Tells the other owners of each business of a user about a change of the user's account. */
export async function mailOtherOwners(
  tx: Tx,
  ctx: Context,
  { id, name: colleague }: UserRow,
  change: ColleagueChange,
  { businessIds, changes = [] }: About = {},
): Promise<void> {
  const about = businessIds ?? (await businessesOf(tx, id));
  if (about.length === 0) return;
  const owners = await tx
    .select({ email: users.email, name: users.name, business: businesses.name, businessId: businesses.id })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .innerJoin(businesses, eq(businesses.id, members.businessId))
    .where(and(inArray(members.businessId, [...about]), eq(members.role, "owner"), ne(members.userId, id)))
    .orderBy(asc(members.businessId), asc(users.id));
  for (const { businessId, ...owner } of owners) {
    const acts = changes.filter((each) => each.businessId === businessId);
    await mailColleagueChanged(tx, ctx, { ...owner, colleague, change, acts });
  }
}
