import { and, asc, eq, ne } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Tx } from "#db/client.ts";
import { businesses, members, users } from "#db/schema/tenants.ts";
import type { Context } from "../context.ts";
import type { ColleagueChange } from "../mails/index.ts";
import { mailColleagueChanged } from "./links.ts";
import type { UserRow } from "./user.ts";

/** Tells the other owners of each business of a user what has changed about the user's account. */
export async function tellOtherOwners(tx: Tx, ctx: Context, { id, name: colleague }: UserRow, change: ColleagueChange): Promise<void> {
  const own = alias(members, "own");
  const owners = await tx
    .select({ email: users.email, name: users.name, business: businesses.name })
    .from(own)
    .innerJoin(members, and(eq(members.businessId, own.businessId), eq(members.role, "owner"), ne(members.userId, id)))
    .innerJoin(users, eq(users.id, members.userId))
    .innerJoin(businesses, eq(businesses.id, own.businessId))
    .where(eq(own.userId, id))
    .orderBy(asc(own.businessId), asc(users.id));
  for (const owner of owners) await mailColleagueChanged(tx, ctx, { ...owner, colleague, change });
}
