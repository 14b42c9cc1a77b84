import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

/** The line that opens a `<details>`. */
export const Summary = ({ children }: { children: ReactNode }) => (
  <summary className="-ml-1 inline-flex min-h-11 items-center gap-1 rounded-xs pr-1 font-medium text-brand sm:min-h-6">
    <ChevronRight aria-hidden="true" className="size-4 transition-transform duration-150 in-open:rotate-90" />
    {children}
  </summary>
);
