import { and, desc, eq, gt, or, sql as raw } from "drizzle-orm";
import { db, sql } from "#db/client.ts";
import { invitations } from "#db/schema/tenants.ts";
import type { MemberContext, Role } from "../context.ts";
import { ROLES } from "./contract.ts";
import { type Invitation, invitationFromRow } from "./invitation.ts";
import { isUnanswered } from "./invitation-rows.ts";
import { ownsSecondFactor } from "./second-factor.ts";
import { readRoles } from "./team.ts";

/** A member of a business, as the team sees it. */
export interface TeamMember {
  userId: string;
  name: string;
  email: string;
  role: Role;
  joinedAt: Date;
  /** When the person last used Oja, in any business. Null if that is no longer known. */
  lastSeenAt: Date | null;
  /** Whether the person has a second factor. */
  hasTwoFactor: boolean;
}

type Row = { id: string; name: string; email: string; role: Role; joined_at: string; last_seen_at: string | null; has_two_factor: boolean };

/** Returns the members of a business: the roles that may do most first, and by name within a role. */
export async function listTeam({ merchant }: MemberContext): Promise<TeamMember[]> {
  const query = sql();
  const rows = await query<Row[]>`
    select u.id, u.name, u.email, m.role, m.created_at as joined_at, (select max(s.last_seen_at) from sessions s where s.user_id = u.id) as last_seen_at,
      ${ownsSecondFactor(query, "u.id")} as has_two_factor
    from members m join users u on u.id = m.user_id
    where m.business_id = ${merchant.businessId} order by u.name, u.id`;
  const team = rows.map(({ id: userId, name, email, role, joined_at, last_seen_at, has_two_factor: hasTwoFactor }) => ({
    ...{ userId, name, email, role, hasTwoFactor, joinedAt: new Date(joined_at) },
    lastSeenAt: last_seen_at === null ? null : new Date(last_seen_at),
  }));
  return ROLES.flatMap((role) => team.filter((member) => member.role === role));
}

/** Returns unanswered invitations, including expired and lapsed ones, and those declined within 30 days, newest first. */
export async function listInvitations({ merchant }: MemberContext): Promise<Invitation[]> {
  const { businessId } = merchant;
  const isListed = or(isUnanswered, gt(invitations.declinedAt, raw`now() - interval '30 days'`));
  const [rows, roles] = await Promise.all([
    db()
      .select()
      .from(invitations)
      .where(and(eq(invitations.businessId, businessId), isListed))
      .orderBy(desc(invitations.id)),
    readRoles(db(), businessId),
  ]);
  return rows.map((row) => invitationFromRow(row, roles));
}
