"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { classes } from "#components/ui/class-names.ts";
import { useSettled } from "#components/ui/use-settled.ts";

/** The payer's page for the typed values. The next version loads behind the visible one, so that nothing flashes. Folded on a phone. */
export function PreviewFrame({ src }: { src: string }) {
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState(src);
  const wanted = useSettled(src);
  const pages = shown === wanted ? [shown] : [shown, wanted];
  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col gap-2">
      <Button className="needs-js wide:hidden" aria-expanded={isOpen} aria-controls="preview" onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Hide the preview" : "Preview what your customer sees"}
      </Button>
      <div id="preview" className={classes("flex flex-col gap-2", !isOpen && "max-wide:hidden")}>
        <p className="text-fact text-muted">What your customer sees. The account here is made up.</p>
        <div className="relative h-[44rem] max-w-[26rem] overflow-hidden rounded-panel border border-line bg-surface">
          {pages.map((page) => (
            // A frame keeps its place among its siblings, because a browser reloads a frame that moves in the document.
            <iframe
              key={page}
              src={page}
              title="Preview of the payment page"
              sandbox=""
              loading="lazy"
              tabIndex={-1}
              aria-hidden={page !== shown}
              onLoad={() => setShown(page)}
              className={classes("absolute inset-0 size-full border-0", page !== shown && "opacity-0")}
            />
          ))}
        </div>
      </div>
    </section>
  );
}
