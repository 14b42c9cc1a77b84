"use client";

import { type ReactNode, type SubmitEvent, useEffect, useRef } from "react";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";

/** Why something was not done. */
export interface FormProblem {
  message: string;
  /** By field. */
  errors: Record<string, string>;
  requestId?: string | undefined;
}

/** What a form of a sheet or a dialog takes from the code that sends it. */
export interface FormWork {
  problem: FormProblem | undefined;
  isWorking: boolean;
}

interface SecurityFormProps extends FormWork {
  label: string;
  pendingLabel?: string | undefined;
  isDangerous?: boolean | undefined;
  /** The names of the fields. A problem that belongs to none of them is said above the fields. */
  fields: readonly string[];
  /** `typed` returns what was typed into a field. */
  onSend: (typed: (field: string) => string) => void;
  children: (errors: Record<string, string>) => ReactNode;
}

/** A form of a sheet or a dialog. When it is refused, the focus goes to the first wrong field, or to the reason. */
export function SecurityForm({ problem, isWorking, label, pendingLabel, isDangerous, fields, onSend, children }: SecurityFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  const isAtField = problem !== undefined && fields.some((field) => problem.errors[field] !== undefined);
  useEffect(() => {
    if (!problem) return;
    const wrong = form.current?.querySelector("[aria-invalid]");
    if (wrong instanceof HTMLElement) wrong.focus();
    else notice.current?.focus();
  }, [problem]);
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    if (!isWorking) onSend((field) => String(data.get(field) ?? ""));
  };
  return (
    <form ref={form} onSubmit={send} className="flex grow flex-col gap-4">
      {problem && !isAtField && (
        <Notice tone="danger" ref={notice} requestId={problem.requestId}>
          {problem.message}
        </Notice>
      )}
      {children(problem?.errors ?? {})}
      <OverlayActions>
        <OverlayClose>Cancel</OverlayClose>
        <Button type="submit" variant={isDangerous ? "danger" : "primary"} pending={isWorking} pendingLabel={pendingLabel}>
          {label}
        </Button>
      </OverlayActions>
    </form>
  );
}
