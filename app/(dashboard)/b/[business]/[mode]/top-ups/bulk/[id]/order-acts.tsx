"use client";

import { useRouter } from "next/navigation";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { ProblemNotice } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";

type Act = typeof import("#app/api/dashboard/bulk-orders/[id]/stop/route.ts").POST;

function useAct(id: string, act: "stop" | "cancel") {
  const router = useRouter();
  return useAction({
    name: `bulk-orders/${id}/${act}`,
    send: (caller, _body: Record<string, never>, idempotencyKey) =>
      call<Act>(caller, "POST", `/api/dashboard/bulk-orders/{id}/${act}`, { params: { id }, idempotencyKey }),
    onDone: () => router.refresh(),
  });
}

/** Stops a file that is being bought. What is under way is finished, and nothing further is bought. */
export function StopOrder({ id }: { id: string }) {
  const { act, isWorking, problem } = useAct(id, "stop");
  return (
    <div className="flex flex-col items-start gap-3">
      {problem && <ProblemNotice problem={problem} />}
      <Button pending={isWorking} pendingLabel="Stopping…" onClick={() => act({})}>
        Stop buying
      </Button>
    </div>
  );
}

/** Cancels a file: its rows that are not bought yet are never bought. */
export function CancelOrder({ id, isPaused }: { id: string; isPaused: boolean }) {
  const { act, isWorking, problem } = useAct(id, "cancel");
  return (
    <>
      <Button pending={isWorking} onClick={() => act({})}>
        {isPaused ? "Buy no more of this file" : "Throw this file away"}
      </Button>
      {problem && <ProblemNotice problem={problem} />}
    </>
  );
}
