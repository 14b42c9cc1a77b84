import type { ReactNode } from "react";
import { classes } from "./class-names.ts";

/** The meaning of a state for its reader: it succeeded, it is not finished, it needs attention, or it failed. */
export type StateTone = "success" | "waiting" | "warning" | "danger";

const LOOK: Record<StateTone, string> = {
  success: "bg-success-ground text-success",
  waiting: "bg-hover text-muted",
  warning: "bg-warning-ground text-warning",
  danger: "bg-danger-ground text-danger",
};

/** A state as a dot and a word, so that colour is never the only sign. A state that is not final has a hollow dot. */
export function StatePill({ tone, children }: { tone: StateTone; children: ReactNode }) {
  return (
    <span
      className={classes("inline-flex items-center gap-1.5 rounded-full px-2 py-px text-fact font-medium whitespace-nowrap", LOOK[tone])}
    >
      <span
        aria-hidden="true"
        className={classes("size-2 rounded-full border-[1.5px] border-current", tone !== "waiting" && "bg-current")}
      />
      {children}
    </span>
  );
}
