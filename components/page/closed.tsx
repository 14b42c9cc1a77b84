import type { ReactNode } from "react";

/** A page, or a part of one, that the reader cannot use: why, and who can change that. */
export function Closed({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex max-w-[45rem] flex-col items-start gap-3 rounded-panel border border-line bg-surface px-4 py-6 sm:px-6">
      <p className="font-semibold">{title}</p>
      <div className="max-w-[60ch] text-muted">{children}</div>
      {action}
    </div>
  );
}
