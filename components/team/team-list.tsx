import type { ReactNode } from "react";
import { Section } from "#components/page/detail.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { INVITATION_STATES, State } from "#components/page/states.tsx";
import { PrimaryAction } from "#components/shell/primary-action.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { StatePill } from "#components/ui/state-pill.tsx";
import { Table } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { ROLE_WORDS, type RoleName } from "./role-words.ts";

export interface MemberRow {
  id: string;
  href: string;
  name: string;
  isSelf: boolean;
  role: RoleName;
  /** Null: the time is no longer known. */
  lastSeenAt: Date | null;
  hasTwoFactor: boolean;
}

export interface InvitationRow {
  id: string;
  email: string;
  role: RoleName;
  state: keyof typeof INVITATION_STATES;
  sentAt: Date;
  expiresAt: Date;
  actions: ReactNode;
}

interface TeamListProps {
  members: readonly MemberRow[];
  invitations: readonly InvitationRow[];
  /** Absent while the business is suspended. */
  invite: ReactNode;
  /** Whether the team needs two-step sign-in, and who decides it. */
  rule: ReactNode;
  now: Date;
}

const COLUMNS = [
  { key: "name", label: "Name", grows: true, phone: "name" },
  { key: "role", label: "Role", phone: "state" },
  { key: "twoStep", label: "Two-step sign-in", phone: "figure" },
  { key: "seen", label: "Last seen", phone: "time" },
] as const;

/** The people of a business, and those who are invited. */
export function TeamList({ members, invitations, invite, rule, now }: TeamListProps) {
  return (
    <>
      <PageHead title="Team" actions={invite && <PrimaryAction>{invite}</PrimaryAction>} />
      <div className="flex flex-col gap-8">
        <Table caption="Members" columns={COLUMNS} rows={members.map((member) => toRow(member, now))} />
        <Section id="invitations" title="Invitations">
          {invitations.length === 0 ? (
            <EmptyState>
              Nobody is invited at the moment. Invitations that you send by mail stand here until they are accepted. Each works once, for
              seven days.
            </EmptyState>
          ) : (
            <ul className="divide-y divide-line rounded-panel border border-line bg-surface">
              {invitations.map((invitation) => (
                <InvitationItem key={invitation.id} {...invitation} now={now} />
              ))}
            </ul>
          )}
        </Section>
        {rule}
      </div>
    </>
  );
}

const toRow = ({ id, href, name, isSelf, role, lastSeenAt, hasTwoFactor }: MemberRow, now: Date) => ({
  key: id,
  href,
  cells: {
    name: (
      <>
        <bdi>{name}</bdi>
        {isSelf && <span className="text-muted"> (you)</span>}
      </>
    ),
    role: ROLE_WORDS[role].label,
    twoStep: (
      <StatePill tone={hasTwoFactor ? "success" : "warning"}>
        {/* A phone does not show the column's name. */}
        <span className="max-sm:hidden">{hasTwoFactor ? "On" : "Off"}</span>
        <span className="sm:hidden">{hasTwoFactor ? "Two-step on" : "Two-step off"}</span>
      </StatePill>
    ),
    seen: lastSeenAt ? <Time at={lastSeenAt} now={now} /> : <span className="text-muted">Not known</span>,
  },
});

function InvitationItem({ email, role, state, sentAt, expiresAt, actions, now }: InvitationRow & { now: Date }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 grow basis-64">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium wrap-anywhere">
          {email} <State of={INVITATION_STATES[state]} />
        </p>
        <p className="text-fact text-muted">
          {ROLE_WORDS[role].label} · sent <Time at={sentAt} now={now} />
          <End state={state} expiresAt={expiresAt} now={now} />
        </p>
      </div>
      {actions}
    </li>
  );
}

/** How the invitation ends, or why it has ended. */
function End({ state, expiresAt, now }: Pick<InvitationRow, "state" | "expiresAt"> & { now: Date }) {
  switch (state) {
    case "open":
    case "expired":
      return (
        <>
          {" "}
          · {state === "open" ? "ends" : "ended"} <Time at={expiresAt} now={now} />
        </>
      );
    case "lapsed":
      return " · the member who sent it has left, or may not give this role any more. Send it again to renew it.";
    case "declined":
      return null;
  }
}
