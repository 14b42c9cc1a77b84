"use client";

import { useRouter } from "next/navigation";
import { type ChangeEvent, type ReactNode, useRef, useState } from "react";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { useToast } from "#components/ui/toast.tsx";

type Resend = typeof import("#app/api/dashboard/webhook-deliveries/resend/route.ts").POST;

const boxesIn = (frame: HTMLElement | null): HTMLInputElement[] => [
  ...(frame?.querySelectorAll<HTMLInputElement>('input[name="delivery"]') ?? []),
];

/** Around a list of deliveries: sends those whose boxes are ticked again. */
export function ResendChosen({ children }: { children: ReactNode }) {
  const router = useRouter();
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
      router.refresh();
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
