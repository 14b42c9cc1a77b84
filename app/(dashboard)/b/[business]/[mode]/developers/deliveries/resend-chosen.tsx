"use client";

import { useRouter } from "next/navigation";
import { type ChangeEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { call } from "#app/_client/call.ts";
import { usePulse } from "#app/_client/pulse.tsx";
import { useAction } from "#app/_client/use-action.ts";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { useToast } from "#components/ui/toast.tsx";

type Resend = typeof import("#app/api/dashboard/webhook-deliveries/resend/route.ts").POST;

const boxesIn = (frame: HTMLElement | null): HTMLInputElement[] => [
  ...(frame?.querySelectorAll<HTMLInputElement>('input[name="delivery"]') ?? []),
];

/** After a resend the list is read again at this many readings of the pulse, which takes half a minute. */
const LOOKS = 6;

/** Returns a function that refreshes the page for a while, because a resent delivery arrives a little later. */
function useLooks(): () => void {
  const router = useRouter();
  const { at } = usePulse();
  const left = useRef({ looks: 0, at });
  useEffect(() => {
    const { looks, at: last } = left.current;
    if (last === at) return;
    left.current = { looks: Math.max(looks - 1, 0), at };
    if (looks > 0) router.refresh();
  }, [router, at]);
  return () => {
    left.current.looks = LOOKS;
    router.refresh();
  };
}

/** Wraps a list of deliveries. Its button resends those whose boxes are ticked. */
export function ResendChosen({ children }: { children: ReactNode }) {
  const lookAgain = useLooks();
  const toast = useToast();
  const frame = useRef<HTMLDivElement>(null);
  const [count, setCount] = useState(0);
  const [isAll, setAll] = useState(false);
  const { act, isWorking, problem } = useAction({
    name: "deliveries/resend",
    send: (caller, body: { ids: string[] }, idempotencyKey) =>
      call<Resend>(caller, "POST", "/api/dashboard/webhook-deliveries/resend", { body, idempotencyKey }),
    onDone: ({ data: { sent, not_sent: notSent } }) => {
      tickAll(false);
      toast({
        title: sent === 1 ? "1 delivery is sent again" : `${sent} deliveries are sent again`,
        ...(notSent > 0 && { description: `${notSent} could not be sent: the endpoint is disabled or deleted.` }),
      });
      lookAgain();
    },
  });
  const note = () => {
    const boxes = boxesIn(frame.current);
    const ticked = boxes.filter(({ checked }) => checked).length;
    setCount(ticked);
    setAll(ticked > 0 && ticked === boxes.length);
  };
  const tickAll = (checked: boolean) => {
    for (const box of boxesIn(frame.current)) box.checked = checked;
    note();
  };
  const send = () => act({ ids: boxesIn(frame.current).flatMap(({ checked, value }) => (checked ? [value] : [])) });
  return (
    <div ref={frame} onChange={note}>
      <ActionForm label="Send again" isWorking={isWorking} problem={problem} fields={[]} onSend={send}>
        {() => (
          <>
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <Checkbox
                label="Choose all on this page"
                checked={isAll}
                onChange={({ target }: ChangeEvent<HTMLInputElement>) => tickAll(target.checked)}
              />
              <Button type="submit" disabled={count === 0} pending={isWorking}>
                {count === 0 ? "Send again" : `Send ${count} again`}
              </Button>
            </div>
            {children}
          </>
        )}
      </ActionForm>
    </div>
  );
}
