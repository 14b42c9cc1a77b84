"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useRef, useState } from "react";
import { useRetryKey } from "#app/_client/use-retry-key.ts";
import { useWork } from "#app/_client/use-work.ts";
import type { FormWork } from "#components/ui/action-form.tsx";
import type { OverlayProps } from "#components/ui/overlay.tsx";

/** The person whose security it is, for the calls and for password managers. */
export interface Own {
  merchantId: string;
  email: string;
}

export interface FlowControls {
  close: () => void;
  /** Keeps the sheet or dialog open until the work ends, because its answer may contain a secret. */
  keepOpen: (work: () => Promise<void>) => Promise<void>;
  /** Says that a secret is shown. From then on only `close` closes the sheet or dialog. */
  showsSecret: () => void;
}

interface FlowProps extends Pick<OverlayProps, "title" | "description" | "trigger" | "triggerVariant" | "open" | "onOpenChange"> {
  /** A sheet or a dialog. Without a trigger, `open` and `onOpenChange` decide. */
  frame: (props: OverlayProps) => ReactNode;
  children: (controls: FlowControls) => ReactNode;
}

/** A sheet or a dialog with steps. It starts at the first step at each opening, and refreshes the page at each closing. */
export function Flow({ frame: Frame, children, open, onOpenChange, ...rest }: FlowProps) {
  const router = useRouter();
  const [isOwnOpen, setOwnOpen] = useState(false);
  const [hasSecret, setHasSecret] = useState(false);
  const isKept = useRef(false);
  const setOpen = (next: boolean) => {
    setHasSecret(false);
    setOwnOpen(next);
    onOpenChange?.(next);
  };
  const close = () => {
    setOpen(false);
    router.refresh();
  };
  const change = (next: boolean) => {
    if (isKept.current) return;
    if (next) setOpen(true);
    else close();
  };
  const keepOpen = async (work: () => Promise<void>) => {
    isKept.current = true;
    try {
      await work();
    } finally {
      isKept.current = false;
    }
  };
  return (
    <Frame {...rest} open={open ?? isOwnOpen} onOpenChange={change} keepsOpen={hasSecret}>
      {children({ close, keepOpen, showsSecret: () => setHasSecret(true) })}
    </Frame>
  );
}

const UNKNOWN =
  "There was no answer, so we do not know whether this was done. Check your connection, then send it again: it is not done twice.";

/** Returns what the forms of a flow need: the state of the last request, and a function that sends the next one with its Idempotency-Key. */
export function useSending({ keepOpen }: FlowControls) {
  const { isWorking, problem, run } = useWork(UNKNOWN);
  const once = useRetryKey();
  const work: FormWork = { isWorking, problem };
  const send = <Body,>(body: Body, ask: (sent: { body: Body; idempotencyKey: string }) => Promise<void>): void => {
    void run(() => keepOpen(() => once(body, (idempotencyKey) => ask({ body, idempotencyKey }))));
  };
  return { work, send };
}
