import type { ReactNode } from "react";

interface RowNameProps {
  children: ReactNode;
  /** The part that tells similar rows apart: the last four digits of a card, a phone number. It is never cut short. */
  end: ReactNode;
}

/** The name of a row whose `end` has a column of its own on a wide screen. */
export const RowName = ({ children, end }: RowNameProps) => (
  <span className="flex min-w-0 items-baseline gap-x-1.5 max-[18rem]:flex-wrap">
    <span className="min-w-0 truncate">{children}</span>
    {end && <span className="shrink-0 font-normal text-muted tabular-nums wide:hidden">{end}</span>}
  </span>
);
