import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { Page } from "#app/_people/find-member.ts";
import { requireMember } from "#app/_people/require-member.ts";
import { closedTo } from "#app/(dashboard)/_page/closed-to.tsx";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { namer } from "#app/(dashboard)/_page/namer.ts";
import { proverOf } from "#app/(dashboard)/_page/prover-of.ts";
import { auditSentence } from "#components/settings/audit-words.ts";
import { MemberDetail } from "#components/team/member-detail.tsx";
import { ROLE_WORDS } from "#components/team/role-words.ts";
import { StatePill } from "#components/ui/state-pill.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { exactTime } from "#components/ui/time-text.ts";
import { listAudit } from "#services/audit/index.ts";
import { listTeam, type TeamMember } from "#services/members/index.ts";
import { changesOf } from "../../settings/audit/[seq]/changes-of.ts";
import { rolesToGive } from "../roles-to-give.ts";
import { MemberActions } from "./member-actions.tsx";

export const metadata: Metadata = { title: "Member" };

/** Acts that the page shows. */
const LATEST = 10;
const MAX_DETAIL = 200;

export default async function MemberPage({ params }: PageProps<"/b/[business]/[mode]/team/[id]">) {
  const page = await requireMember(params);
  const closed = closedTo(page, "team:write", "Member");
  if (closed) return closed;
  const { ctx, base } = page;
  const { id } = await params;
  const member = (await listTeam(ctx)).find(({ userId }) => userId === id) ?? notFound();
  const acts = await listAudit(ctx, { by: member.userId, limit: LATEST });
  const nameOf = await namer(ctx);
  const { name, email, role, joinedAt, lastSeenAt, hasTwoFactor } = member;
  return (
    <MemberDetail
      backHref={`${base}/team`}
      name={name}
      role={role}
      actions={<Actions page={page} member={member} />}
      closed={reasonClosed(page, member)}
      acts={acts.items.map(({ seq, createdAt, action, before, after }) => ({
        key: String(seq),
        at: createdAt,
        text: auditSentence(action),
        detail: textOf(changesOf({ before, after }, { member: (userId) => nameOf({ type: "member", id: userId }) })),
        action: <TextLink href={`${base}/settings/audit/${seq}`}>Details</TextLink>,
      }))}
      auditHref={`${base}/settings/audit?by=${member.userId}`}
      facts={[
        { label: "Email", value: email },
        { label: "Joined", value: exactTime(joinedAt) },
        { label: "Last seen", value: lastSeenAt ? exactTime(lastSeenAt) : "Not known" },
        {
          label: "Two-step sign-in",
          value: <StatePill tone={hasTwoFactor ? "success" : "warning"}>{hasTwoFactor ? "On" : "Off"}</StatePill>,
        },
      ]}
      now={new Date()}
    />
  );
}

/** Returns what an act changed to, in one line. */
const textOf = (changes: ReturnType<typeof changesOf>): string =>
  changes
    .map(({ field, after }) => `${field}: ${after}`)
    .join(" · ")
    .slice(0, MAX_DETAIL);

/** Returns why the reader cannot change a member, or undefined. */
function reasonClosed({ ctx }: Page, { userId, role }: TeamMember): string | undefined {
  if (userId === ctx.actor.id) return "This is you. To leave the business, open Your security.";
  return rolesToGive(ctx).includes(role) ? undefined : `Only an owner changes the role of an ${ROLE_WORDS[role].label.toLowerCase()}.`;
}

async function Actions({ page, member }: { page: Page; member: TeamMember }) {
  const { ctx, base } = page;
  if (reasonClosed(page, member)) return null;
  const { userId: id, name, role } = member;
  return (
    <MemberActions
      prover={await proverOf(ctx)}
      member={{ id, name, role }}
      offered={rolesToGive(ctx)}
      teamHref={`${base}/team`}
      may={{ change: mayChange(ctx, "team:write"), handOver: mayChange(ctx, "team:write") && ctx.role === "owner" && role !== "owner" }}
    />
  );
}
