import type { ReactNode } from "react";

/** A key of the keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-block min-w-5 rounded-[4px] border border-line bg-ground px-1 text-center font-sans text-[0.75rem] leading-5 text-muted">
      {children}
    </kbd>
  );
}
