"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import type { Permission } from "#services/permissions.ts";
import type { KeyOwner } from "../../key-proof.tsx";
import { ChangeKey } from "./change-key.tsx";
import type { KeyToChange } from "./key-to-change.ts";
import { ResumeKey } from "./resume-key.tsx";
import { RevokeKey } from "./revoke-key.tsx";
import { RollKey } from "./roll-key.tsx";

interface KeyActionsProps {
  owner: KeyOwner;
  /** The path of the developers' pages. */
  path: string;
  apiKey: KeyToChange;
  offered: readonly Permission[];
  ownAddress: string;
  may: { change: boolean; roll: boolean; resume: boolean };
}

/** What can be done with a key that has not ended: the least dangerous act first. */
export function KeyActions({ owner, path, apiKey, offered, ownAddress, may }: KeyActionsProps) {
  const [opened, setOpened] = useState<"change" | "roll" | "resume" | "revoke">();
  const controls = (name: typeof opened) => ({
    open: opened === name,
    onOpenChange: (open: boolean) => setOpened(open ? name : undefined),
  });
  return (
    <>
      {may.change && <Button onClick={() => setOpened("change")}>Change key</Button>}
      {may.roll && (
        <Button variant="primary" onClick={() => setOpened("roll")}>
          Roll key
        </Button>
      )}
      {may.resume && (
        <Button variant="primary" onClick={() => setOpened("resume")}>
          Resume key
        </Button>
      )}
      <Button variant={may.change || may.resume ? "quiet" : "danger"} onClick={() => setOpened("revoke")}>
        Revoke key
      </Button>
      <ChangeKey owner={owner} apiKey={apiKey} offered={offered} ownAddress={ownAddress} {...controls("change")} />
      <RollKey owner={owner} path={path} apiKey={apiKey} {...controls("roll")} />
      <ResumeKey owner={owner} apiKey={apiKey} {...controls("resume")} />
      <RevokeKey apiKey={apiKey} {...controls("revoke")} />
    </>
  );
}
