import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { closedTo } from "#app/(dashboard)/_page/closed-to.tsx";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { proverOf } from "#app/(dashboard)/_page/prover-of.ts";
import { type MemberRow, TeamList } from "#components/team/team-list.tsx";
import { getTwoFactorRule, listInvitations, listTeam, type TeamMember } from "#services/members/index.ts";
import { InvitationActions } from "./invitation-actions.tsx";
import { InviteMember } from "./invite-member.tsx";
import { rolesToGive } from "./roles-to-give.ts";
import { TwoFactorRule } from "./two-factor-rule.tsx";

export const metadata: Metadata = { title: "Team" };

export default async function TeamPage({ params }: PageProps<"/b/[business]/[mode]/team">) {
  const page = await requireMember(params);
  const closed = closedTo(page, "team:write", "Team");
  if (closed) return closed;
  const { ctx, base } = page;
  const [team, invitations, requiredSince, prover] = await Promise.all([
    listTeam(ctx),
    listInvitations(ctx),
    getTwoFactorRule(ctx),
    proverOf(ctx),
  ]);
  const isActive = mayChange(ctx, "team:write");
  const offered = rolesToGive(ctx);
  const without = team.filter(({ hasTwoFactor }) => !hasTwoFactor);
  return (
    <TeamList
      members={team.map((member) => toRow(member, ctx.actor.id, `${base}/team`))}
      invitations={invitations.flatMap(({ state, ...invitation }) => {
        const { id, email, role } = invitation;
        if (state === "accepted" || state === "withdrawn") return [];
        const isOffered = state !== "declined" && offered.includes(role);
        return [
          { ...invitation, state, actions: isOffered && <InvitationActions prover={prover} id={id} email={email} maySend={isActive} /> },
        ];
      })}
      invite={isActive && <InviteMember prover={prover} offered={offered} />}
      rule={
        <TwoFactorRule
          prover={prover}
          isRequired={requiredSince !== null}
          mayDecide={ctx.role === "owner" && isActive}
          hasOwn={!without.some(({ userId }) => userId === ctx.actor.id)}
          without={without.map(({ name }) => name)}
          securityHref={`${base}/security`}
        />
      }
      now={new Date()}
    />
  );
}

const toRow = ({ userId, name, role, lastSeenAt, hasTwoFactor }: TeamMember, readerId: string, path: string): MemberRow => ({
  ...{ id: userId, name, role, lastSeenAt, hasTwoFactor },
  href: `${path}/${userId}`,
  isSelf: userId === readerId,
});
