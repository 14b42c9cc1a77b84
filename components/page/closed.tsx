import type { ReactNode } from "react";

interface ClosedProps {
  title: string;
  /** It stands in place of the whole page, so its title is the page's. */
  isPage?: boolean | undefined;
  children: ReactNode;
  action?: ReactNode;
}

/** A page, or a part of one, that the reader cannot use: why, and who can change that. */
export function Closed({ title, isPage = false, children, action }: ClosedProps) {
  return (
    <div className="flex max-w-[45rem] flex-col items-start gap-3 rounded-panel border border-line bg-surface px-4 py-6 sm:px-6">
      {isPage ? <h1>{title}</h1> : <p className="font-semibold">{title}</p>}
      <div className="max-w-[60ch] text-muted">{children}</div>
      {action}
    </div>
  );
}
