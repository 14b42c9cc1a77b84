"use client";

import type { ReactNode } from "react";
import { takeFocus } from "./take-focus.ts";

/** The first sentence of a step that replaces another one. It takes the focus, so that a screen reader continues there. */
export function StepLead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div ref={takeFocus} tabIndex={-1} className="outline-none">
      <h3 className="font-semibold">{title}</h3>
      {children && <p className="mt-1 text-muted">{children}</p>}
    </div>
  );
}
