import { and, asc, eq, gte, inArray } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { invitations, users } from "#db/schema/tenants.ts";
import type { ActOfMember } from "../audit/index.ts";
import type { TeamAct } from "../mails/index.ts";

/** The actions of audit entries about members of a team. */
export const TEAM_ACTIONS = ["member.role_changed", "member.made_owner", "member.removed", "member.left"] as const;

const KINDS: Record<string, TeamAct["kind"]> = {
  "member.role_changed": "role_changed",
  "member.made_owner": "made_owner",
  "member.removed": "removed",
};

/** A change of a team, and the person whom it is about. */
export interface ChangeOfTeam extends TeamAct {
  businessId: string;
  /** Null for a person who joined by an invitation: the invitation names an email alone. */
  userId: string | null;
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Returns an account's changes of other members of its teams: audited acts, and invitations accepted since a time. */
export async function changesOfTeams(tx: Tx, userId: string, since: Date, acts: readonly ActOfMember[]): Promise<ChangeOfTeam[]> {
  const about = acts.filter(({ action, subject }) => action in KINDS && subject !== userId);
  const names = await namesOf(
    tx,
    about.map(({ subject }) => subject),
  );
  const changed = about.flatMap(({ businessId, action, subject, before, after }) => {
    const kind = KINDS[action];
    const [from, to] = [text(before?.role), text(after?.role)];
    return kind ? [{ businessId, userId: subject, kind, who: names.get(subject) ?? "", from, to }] : [];
  });
  return [...changed, ...(await joinedBy(tx, userId, since))];
}

async function namesOf(tx: Tx, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, ids));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function joinedBy(tx: Tx, userId: string, since: Date): Promise<ChangeOfTeam[]> {
  const rows = await tx
    .select({ businessId: invitations.businessId, who: invitations.email, to: invitations.role })
    .from(invitations)
    .where(and(eq(invitations.madeBy, `member:${userId}`), gte(invitations.acceptedAt, since), gte(invitations.sentAt, since)))
    .orderBy(asc(invitations.businessId), asc(invitations.id));
  return rows.map((row) => ({ ...row, kind: "joined" as const, userId: null, from: null }));
}
