import type { ReactNode } from "react";

interface EmptyStateProps {
  /** One sentence. It names the things that the list will show, or the filter that matches no row. */
  children: ReactNode;
  /** One next step: a button that creates the first record, or a link that clears the filter. */
  action?: ReactNode;
  /** In test mode: a command that works as it is pasted. */
  command?: ReactNode;
}

/** A list without rows. */
export function EmptyState({ children, action, command }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-4 rounded-panel border border-line bg-surface px-4 py-12 text-center">
      <p className="max-w-[45ch] text-balance text-muted">{children}</p>
      {action}
      {command}
    </div>
  );
}
