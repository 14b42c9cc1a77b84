"use client";

import { useState } from "react";
import type { Prover } from "#app/_client/proof.tsx";
import type { RoleName } from "#components/team/role-words.ts";
import { Button, buttonClasses } from "#components/ui/button.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { ChangeRole } from "./change-role.tsx";
import { HandOver } from "./hand-over.tsx";
import type { MemberToChange } from "./member-to-change.ts";
import { RemoveMember } from "./remove-member.tsx";

interface MemberActionsProps {
  prover: Prover;
  member: MemberToChange;
  offered: readonly RoleName[];
  teamHref: string;
  may: { change: boolean; handOver: boolean };
}

/** What can be done with another member. */
export function MemberActions({ prover, member, offered, teamHref, may }: MemberActionsProps) {
  const [opened, setOpened] = useState<"role" | "hand-over" | "remove">();
  const controls = (name: typeof opened) => ({
    open: opened === name,
    onOpenChange: (open: boolean) => setOpened(open ? name : undefined),
  });
  const remove = { key: "remove", label: "Remove from the team", onSelect: () => setOpened("remove") };
  return (
    <>
      {may.change ? (
        <Menu
          align="end"
          triggerClass={buttonClasses()}
          trigger="More"
          label="actions of the member"
          groups={
            may.handOver
              ? [[{ key: "hand-over", label: "Hand the business over", onSelect: () => setOpened("hand-over") }], [remove]]
              : [[remove]]
          }
        />
      ) : (
        <Button variant="danger" onClick={() => setOpened("remove")}>
          Remove from the team
        </Button>
      )}
      {may.change && (
        <Button variant="primary" onClick={() => setOpened("role")}>
          Change role
        </Button>
      )}
      <ChangeRole prover={prover} member={member} offered={offered} {...controls("role")} />
      <HandOver prover={prover} member={member} {...controls("hand-over")} />
      <RemoveMember prover={prover} member={member} teamHref={teamHref} {...controls("remove")} />
    </>
  );
}
