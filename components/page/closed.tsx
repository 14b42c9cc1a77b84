import type { ReactNode } from "react";

interface ClosedProps {
  title: string;
  /** Whether it replaces the whole page. Its title is then the page's heading. */
  isPage?: boolean | undefined;
  children: ReactNode;
  action?: ReactNode;
}

/** Replaces a page, or a part of one, that the reader cannot use. Says why, and who can change that. */
export function Closed({ title, isPage = false, children, action }: ClosedProps) {
  return (
    <div className="flex max-w-[45rem] flex-col items-start gap-3 rounded-panel border border-line bg-surface px-4 py-6 sm:px-6">
      {isPage ? <h1>{title}</h1> : <p className="font-semibold">{title}</p>}
      <div className="max-w-[60ch] text-muted">{children}</div>
      {action}
    </div>
  );
}
