"use client";

import { type ReactNode, type SubmitEvent, useEffect, useRef } from "react";
import { classes } from "./class-names.ts";
import { Notice } from "./notice.tsx";

/** The reason why a request was refused or failed. */
export interface FormProblem {
  message: string;
  /** By field. */
  errors: Record<string, string>;
  requestId?: string | undefined;
  /** The session has ended: the person signs in in another tab, and what was typed stays. */
  isSignedOut?: boolean | undefined;
}

/** The props that a form gets from the hook that sends it. */
export interface FormWork {
  problem: FormProblem | undefined;
  isWorking: boolean;
}

interface ActionFormProps extends FormWork {
  /** The names of the fields. A problem that belongs to none of them is shown above the fields. */
  fields: readonly string[];
  /** `typed` returns what was typed into a field. */
  onSend: (typed: (field: string) => string) => void;
  label?: string | undefined;
  className?: string | undefined;
  children: (errors: Record<string, string>) => ReactNode;
}

/** A form that script sends. When it is refused, the focus goes to the first wrong field, or to the reason. */
export function ActionForm({ problem, isWorking, fields, onSend, label, className, children }: ActionFormProps) {
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
    <form ref={form} aria-label={label} onSubmit={send} className={classes("flex flex-col gap-4", className)}>
      {problem && !isAtField && <ProblemNotice problem={problem} noticeRef={notice} />}
      {children(problem?.errors ?? {})}
    </form>
  );
}

interface ProblemNoticeProps {
  problem: FormProblem;
  noticeRef?: React.Ref<HTMLDivElement>;
}

/** Shows why a request was refused or failed, and how to go on. */
export function ProblemNotice({ problem: { message, requestId, isSignedOut }, noticeRef }: ProblemNoticeProps) {
  return (
    <Notice tone="danger" ref={noticeRef} requestId={requestId}>
      {message}
      {isSignedOut && (
        <>
          {" "}
          <a href="/sign-in" target="_blank" rel="noopener" className="font-medium underline underline-offset-3">
            Sign in in a new tab
          </a>
        </>
      )}
    </Notice>
  );
}
