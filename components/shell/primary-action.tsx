import type { ReactNode } from "react";

/** The one primary action of a page in the shell. On a phone it floats over the bottom bar, where a thumb reaches it. */
export function PrimaryAction({ children }: { children: ReactNode }) {
  return (
    <div className="max-wide:fixed max-wide:right-4 max-wide:bottom-[calc(4.5rem+env(safe-area-inset-bottom))] max-wide:z-10 max-wide:rounded-control max-wide:shadow-float">
      {children}
    </div>
  );
}
