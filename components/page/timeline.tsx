import type { ReactNode } from "react";
import { classes } from "#components/ui/class-names.ts";
import type { StateTone } from "#components/ui/state-pill.tsx";
import { Time } from "#components/ui/time.tsx";

export interface TimelineEntry {
  key: string;
  at: Date;
  /** One sentence. */
  text: ReactNode;
  /** Money that moved, right. */
  figure?: ReactNode;
  /** A second line: the reason, the sender or the receiver. */
  detail?: ReactNode;
  tone?: StateTone | undefined;
  /** The action that the entry asks for. */
  action?: ReactNode;
}

const DOT: Record<StateTone, string> = {
  success: "border-success bg-success",
  waiting: "border-control bg-surface",
  warning: "border-warning bg-warning",
  danger: "border-danger bg-danger",
};

/** The history of a record, newest first. */
export function Timeline({ label, entries, now }: { label: string; entries: readonly TimelineEntry[]; now: Date }) {
  return (
    <ol aria-label={label} className="flex flex-col">
      {entries.map(({ key, at, text, figure, detail, tone = "waiting", action }) => (
        <li key={key} className="group relative flex gap-3 pb-5 last:pb-0">
          <span aria-hidden="true" className="relative mt-[0.3125rem] flex w-3 shrink-0 justify-center">
            <span className={classes("z-1 size-2.5 rounded-full border-[1.5px]", DOT[tone])} />
            <span className="absolute top-2.5 -bottom-6 w-px bg-line group-last:hidden" />
          </span>
          <div className="min-w-0 grow">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <p className="min-w-0 font-medium wrap-anywhere">{text}</p>
              {figure && <p className="text-right font-medium tabular-nums">{figure}</p>}
            </div>
            {detail && <div className="text-fact text-muted wrap-anywhere">{detail}</div>}
            <p className="text-fact text-muted">
              <Time at={at} now={now} />
            </p>
            {action && <div className="mt-2">{action}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
