"use client";

import { useRouter } from "next/navigation";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { ProblemNotice } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { useToast } from "#components/ui/toast.tsx";

type Put = typeof import("#app/api/dashboard/first-steps/route.ts").POST;

/** Takes the first steps off the home of the business, for all of its members. */
export function PutAway() {
  const router = useRouter();
  const show = useToast();
  const { act, isWorking, problem } = useAction({
    name: "first-steps",
    // The same twice is the same, so no key is needed.
    send: (caller, body: { put_away: boolean }) => call<Put>(caller, "POST", "/api/dashboard/first-steps", { body }),
    onDone: ({ data }) => {
      router.refresh();
      if (data.put_away) show({ title: "First steps put away", undo: () => act({ put_away: false }) });
    },
  });
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <Button pending={isWorking} onClick={() => act({ put_away: true })}>
        Put away
      </Button>
    </>
  );
}
