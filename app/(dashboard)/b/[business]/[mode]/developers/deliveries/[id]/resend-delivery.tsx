"use client";

import { useRouter } from "next/navigation";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { ProblemNotice } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { useToast } from "#components/ui/toast.tsx";

type Resend = typeof import("#app/api/v1/webhook-deliveries/[id]/resend/route.ts").POST;

/** Sends a delivery again. */
export function ResendDelivery({ id }: { id: string }) {
  const router = useRouter();
  const toast = useToast();
  const { act, isWorking, problem } = useAction({
    name: `deliveries/${id}/resend`,
    send: (caller, _body: Record<string, never>, idempotencyKey) =>
      call<Resend>(caller, "POST", "/api/v1/webhook-deliveries/{id}/resend", { params: { id }, idempotencyKey }),
    onDone: () => {
      toast({ title: "It is being sent. This page will tell you." });
      router.refresh();
    },
  });
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <Button variant="primary" pending={isWorking} onClick={() => act({})}>
        Send again
      </Button>
    </>
  );
}
