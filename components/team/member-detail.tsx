import type { ReactNode } from "react";
import { Detail, Section } from "#components/page/detail.tsx";
import { type Fact, Facts } from "#components/page/facts.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { Timeline, type TimelineEntry } from "#components/page/timeline.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { ROLE_WORDS, type RoleName } from "./role-words.ts";

interface MemberDetailProps {
  backHref: string;
  name: string;
  role: RoleName;
  actions: ReactNode;
  /** Why the reader cannot change this member. */
  closed: string | undefined;
  acts: readonly TimelineEntry[];
  auditHref: string;
  facts: readonly Fact[];
  now: Date;
}

/** A member of the business: the role, and what the person changed. */
export function MemberDetail({ backHref, name, role, actions, closed, acts, auditHref, facts, now }: MemberDetailProps) {
  return (
    <>
      <PageHead back={{ href: backHref, label: "Team" }} title={<bdi>{name}</bdi>} actions={actions} />
      <Detail facts={<Facts facts={facts} />}>
        <Section id="present-role" title={`Role: ${ROLE_WORDS[role].label}`}>
          <p className="max-w-[60ch]">{ROLE_WORDS[role].says}</p>
          {closed && <p className="mt-2 max-w-[60ch] text-muted">{closed}</p>}
        </Section>
        <Section id="acts" title="What this person changed" aside={acts.length > 0 && <TextLink href={auditHref}>All of it</TextLink>}>
          {acts.length === 0 ? (
            <EmptyState>Nothing that the audit log keeps, in this mode.</EmptyState>
          ) : (
            <Timeline label="What this person changed" entries={acts} now={now} />
          )}
        </Section>
      </Detail>
    </>
  );
}
