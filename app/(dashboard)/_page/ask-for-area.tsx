"use client";

import { useRouter } from "next/navigation";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { ProblemNotice } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import type { Area } from "#services/context.ts";

type RequestArea = typeof import("#app/api/dashboard/areas/[area]/request/route.ts").POST;

/** A button that asks the operators to switch an area on. */
export function AskForArea({ area, label, isPrimary = true }: { area: Area; label: string; isPrimary?: boolean }) {
  const router = useRouter();
  const { act, isWorking, problem } = useAction({
    name: `areas/${area}/request`,
    send: (caller, _body: Record<string, never>, idempotencyKey) =>
      call<RequestArea>(caller, "POST", "/api/dashboard/areas/{area}/request", { params: { area }, idempotencyKey }),
    onDone: () => router.refresh(),
  });
  return (
    <div className="flex flex-col items-start gap-3">
      {problem && <ProblemNotice problem={problem} />}
      <Button variant={isPrimary ? "primary" : "quiet"} pending={isWorking} onClick={() => act({})}>
        {label}
      </Button>
    </div>
  );
}
