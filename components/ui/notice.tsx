import type { ReactNode, Ref } from "react";
import { classes } from "./class-names.ts";

type Tone = "info" | "success" | "warning" | "danger";

const LOOK: Record<Tone, { box: string; mark: string; says: string }> = {
  info: { box: "border-line bg-surface text-ink", mark: "i", says: "Note" },
  success: { box: "border-success/30 bg-success-ground text-success", mark: "✓", says: "Done" },
  warning: { box: "border-warning/30 bg-warning-ground text-warning", mark: "!", says: "Attention" },
  danger: { box: "border-danger/30 bg-danger-ground text-danger", mark: "!", says: "Error" },
};

interface NoticeProps {
  tone?: Tone | undefined;
  title?: ReactNode;
  children?: ReactNode;
  /** Shown small, for a conversation with support. */
  requestId?: string | undefined;
  /** Takes the focus when the page opens, as the answer to a form does, also without script. */
  takesFocus?: boolean | undefined;
  /** For a script that moves the focus here. */
  ref?: Ref<HTMLDivElement> | undefined;
  id?: string | undefined;
}

/** A message about this page. An error is an alert, and every other tone a status, so screen readers say it when it appears. */
export function Notice({ tone = "info", title, children, requestId, takesFocus = false, ref, id }: NoticeProps) {
  const { box, mark, says } = LOOK[tone];
  return (
    <div
      ref={ref}
      id={id}
      role={tone === "danger" ? "alert" : "status"}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: the notice is the answer to the form that the reader has just sent
      autoFocus={takesFocus}
      className={classes("flex gap-2.5 rounded-control border px-3 py-2.5", box)}
    >
      <span
        aria-hidden="true"
        className="mt-px grid size-[1.125rem] shrink-0 place-items-center rounded-full border border-current text-[0.6875rem] leading-none font-semibold"
      >
        {mark}
      </span>
      <div className="min-w-0 wrap-anywhere">
        <span className="sr-only">{says}: </span>
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className={title ? "mt-0.5 text-ink" : undefined}>{children}</div>}
        {requestId && <p className="mt-1 font-mono text-fact text-muted">{requestId}</p>}
      </div>
    </div>
  );
}
