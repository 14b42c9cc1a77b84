"use client";

import { type FormProblem, ProblemNotice } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";

interface UnansweredProps {
  /** What was sent: "this card", "$50.00 for Ads". */
  what: string;
  isWorking: boolean;
  problem: FormProblem | undefined;
  /** Sends the same again. */
  onSend: () => void;
}

/** Replaces a form whose last request got no answer. It can only send the same request again. */
export function Unanswered({ what, isWorking, problem, onSend }: UnansweredProps) {
  return (
    <>
      <Notice tone="warning" title={`You sent ${what} before, and the answer was lost`}>
        Press the button again to find out what became of it: it is never done twice.
      </Notice>
      {problem && <ProblemNotice problem={problem} />}
      <OverlayActions>
        <OverlayClose>Later</OverlayClose>
        <Button variant="primary" pending={isWorking} onClick={onSend}>
          Find out
        </Button>
      </OverlayActions>
    </>
  );
}
