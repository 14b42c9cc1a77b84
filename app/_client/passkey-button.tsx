"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { askPasskey } from "./ask-passkey.ts";

interface PasskeyButtonProps {
  /** The page to open afterwards. */
  next: string | undefined;
  /** Whether it is the primary action of its page. */
  isMain?: boolean;
}

/** A button that proves by a passkey, after the password, who signs in. It needs JavaScript and is hidden without it. */
export function PasskeyButton({ next, isMain = false }: PasskeyButtonProps) {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState("");
  async function signIn(): Promise<void> {
    setPending(true);
    setProblem("");
    const outcome = await askPasskey({ next, isSecondStep: true });
    if ("to" in outcome) {
      location.assign(outcome.to);
      return;
    }
    setPending(false);
    setProblem(outcome.problem);
  }
  return (
    <div className="needs-js flex flex-col gap-3">
      {problem && <Notice tone="danger">{problem}</Notice>}
      <Button
        wide
        variant={isMain ? "primary" : "quiet"}
        pending={pending}
        pendingLabel="Waiting for your passkey…"
        onClick={() => void signIn()}
      >
        Use a passkey
      </Button>
    </div>
  );
}
