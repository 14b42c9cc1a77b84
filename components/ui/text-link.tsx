import type { ReactNode } from "react";

/** A link in a sentence, or alone: padded to a target of 24 px, which moves nothing around it. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="rounded-xs py-1 font-medium text-brand underline decoration-1 underline-offset-3 hover:decoration-2">
      {children}
    </a>
  );
}
