import { ProblemNotice } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TextLink } from "#components/ui/text-link.tsx";

interface LostAnswerProps {
  /** What was sent: "₦200.00 for 0803 123 4567". */
  what: string;
  listHref: string;
  isWorking: boolean;
  isSignedOut: boolean;
  onAsk: () => void;
  onForget: () => void;
}

/** Replaces the form while the outcome of a purchase is unknown. Its one action asks for the outcome. */
export function LostAnswer({ what, listHref, isWorking, isSignedOut, onAsk, onForget }: LostAnswerProps) {
  return (
    <div className="flex max-w-[45rem] flex-col gap-4">
      <Notice tone="warning" title="You sent this before, and the answer was lost">
        {what}. We do not know yet whether it was bought. Do not buy it again: press the button to find out what became of it. It is never
        bought twice.
      </Notice>
      {isSignedOut && <ProblemNotice problem={{ message: "Your session has ended.", errors: {}, isSignedOut: true }} />}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant="primary" pending={isWorking} pendingLabel="Asking…" onClick={onAsk}>
          Find out what became of it
        </Button>
        <Button onClick={onForget}>Buy something else</Button>
        <TextLink href={listHref}>See your top-ups</TextLink>
      </div>
    </div>
  );
}
