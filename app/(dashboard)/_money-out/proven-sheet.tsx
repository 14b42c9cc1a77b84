"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";
import { Sheet } from "#components/ui/sheet.tsx";
import { PROOF_FIELDS } from "./use-payout-proof.tsx";
import type { ProvenAction } from "./use-proven-action.ts";

// The parts that the sheets of payouts and refunds share.

interface ProvenSheetProps {
  label: string;
  variant?: "primary" | undefined;
  title: string;
  action: Pick<ProvenAction<unknown, unknown>, "isWorking" | "unanswered" | "reset">;
  /** Returns the content. The key changes with each opening, so that a form begins anew. */
  children: (key: number) => ReactNode;
}

/** The button and the sheet of an action that takes money out. An opening forgets the last answer, and never a request without an answer. */
export function ProvenSheet({ label, variant, title, action, children }: ProvenSheetProps) {
  const [isOpen, setOpen] = useState(false);
  const [count, setCount] = useState(0);
  const open = (next: boolean) => {
    if (next && !action.isWorking && !action.unanswered) action.reset();
    if (next) setCount((last) => last + 1);
    setOpen(next);
  };
  return (
    <>
      <Button variant={variant} aria-haspopup="dialog" onClick={() => open(true)}>
        {label}
      </Button>
      <Sheet title={title} open={isOpen} onOpenChange={open}>
        {children(count)}
      </Sheet>
    </>
  );
}

interface FindOutProps<Body> {
  action: Pick<ProvenAction<Body, unknown>, "isWorking" | "problem" | "send" | "fields">;
  /** The request that has no answer. */
  body: Body;
  /** The request, as a sentence. */
  title: string;
}

/** Replaces a form while its last request has no answer. It can only send the same request again. */
export function FindOut<Body>({ action, body, title }: FindOutProps<Body>) {
  return (
    <ActionForm
      isWorking={action.isWorking}
      problem={action.problem}
      fields={PROOF_FIELDS}
      onSend={(typed) => void action.send(body, typed)}
      className="grow"
    >
      {(errors) => (
        <>
          <Notice tone="warning" title={title}>
            Press the button to find out what became of it: it is never done twice.
          </Notice>
          {action.fields(errors)}
          <OverlayActions>
            <OverlayClose>Later</OverlayClose>
            <Button type="submit" variant="primary" pending={action.isWorking}>
              Find out
            </Button>
          </OverlayActions>
        </>
      )}
    </ActionForm>
  );
}

/** An outcome in place of its form. It takes the focus. `more`: an action beside "Done". */
export function Outcome({ children, more }: { children: ReactNode; more?: ReactNode }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <>
      <div ref={notice} tabIndex={-1} className="outline-none">
        {children}
      </div>
      <OverlayActions>
        {more}
        <OverlayClose variant="primary">Done</OverlayClose>
      </OverlayActions>
    </>
  );
}

/** Sums with their labels, and a sentence below them. */
export function Sums({ lines, note }: { lines: readonly (readonly [label: string, sum: string])[]; note: string }) {
  return (
    <div className="rounded-control border border-line px-4 py-3">
      <dl className="flex flex-col gap-1.5">
        {lines.map(([label, sum]) => (
          <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt className="text-muted">{label}</dt>
            <dd className="text-right font-medium tabular-nums">{sum}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-fact text-muted wrap-anywhere">{note}</p>
    </div>
  );
}
