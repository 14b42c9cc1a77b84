"use client";

import { useRouter } from "next/navigation";
import { call } from "#app/_client/call.ts";
import { useCaller } from "#app/_client/provider.tsx";
import { useWork } from "#app/_client/use-work.ts";
import { ProblemNotice } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { useToast } from "#components/ui/toast.tsx";

type Put = typeof import("#app/api/dashboard/first-steps/route.ts").POST;

/** Hides the list of first steps on the home page, for all members of the business. */
export function HideFirstSteps() {
  const router = useRouter();
  const show = useToast();
  const caller = useCaller();
  const { run, isWorking, problem } = useWork();
  const put = async (isAway: boolean) => {
    await call<Put>(caller, "POST", "/api/dashboard/first-steps", { body: { put_away: isAway } });
    router.refresh();
  };
  // The steps and this button are gone by then, so a failure is said in a toast.
  const putBack = () => put(false).catch(() => show({ title: "The first steps could not be put back", description: "Try again later." }));
  const putAway = async () => {
    await put(true);
    show({ title: "First steps put away", undo: () => void putBack() });
  };
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <Button pending={isWorking} onClick={() => void run(putAway)}>
        Put away
      </Button>
    </>
  );
}
