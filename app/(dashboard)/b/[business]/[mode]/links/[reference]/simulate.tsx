"use client";

import { useRouter } from "next/navigation";
import { useRef } from "react";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { ProblemNotice } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import type { Simulation } from "./simulations-of.ts";

type Transfer = typeof import("#app/api/v1/test/checkout/[reference]/transfer/route.ts").POST;
type Expire = typeof import("#app/api/v1/test/checkout/[reference]/expire/route.ts").POST;

const PATH = "/api/v1/test/checkout/{reference}";

/** Plays the payer, the bank and the clock for a test link. */
export function Simulate({ reference, simulations }: { reference: string; simulations: readonly Simulation[] }) {
  const router = useRouter();
  const frame = useRef<HTMLDivElement>(null);
  const { act, isWorking, problem } = useAction({
    name: `simulate/${reference}`,
    send: (caller, { kind, amount }: Simulation, idempotencyKey) =>
      kind === "expire"
        ? call<Expire>(caller, "POST", `${PATH}/expire`, { params: { reference }, idempotencyKey })
        : call<Transfer>(caller, "POST", `${PATH}/transfer`, {
            ...{ params: { reference }, idempotencyKey },
            body: amount === undefined ? {} : { amount },
          }),
    onDone: () => {
      // The button that was pressed goes away with the state that it belongs to.
      frame.current?.focus();
      router.refresh();
    },
  });
  return (
    <div ref={frame} tabIndex={-1} className="flex flex-col gap-3 outline-none">
      {problem && <ProblemNotice problem={problem} />}
      <ul className="flex flex-col gap-4 sm:gap-2">
        {simulations.map((simulation) => (
          <li key={simulation.kind} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Button className="min-w-32" aria-disabled={isWorking || undefined} onClick={() => act(simulation)}>
              {simulation.label}
            </Button>
            <span className="text-fact text-muted">{simulation.effect}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
