"use client";

import { useEffect, useId, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { classes } from "#components/ui/class-names.ts";
import { useSettled } from "#components/ui/use-settled.ts";

/** What the form of the preview sends. */
export type BrandDraft = Readonly<Record<"colour" | "support_email" | "support_phone" | "logo", string>>;

/** The payer's page with the brand in the form, at the width of a phone or a desktop. The next version loads behind the visible one. */
export function BrandPreview({ action, draft, isSaved }: { action: string; draft: BrandDraft; isSaved: boolean }) {
  const [isDesk, setDesk] = useState(false);
  const wanted = useSettled(JSON.stringify(draft));
  const [shown, setShown] = useState(wanted);
  const pages = shown === wanted ? [shown] : [shown, wanted];
  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-fact text-muted">{isSaved ? "What your customers see." : "Preview. Your customers see it after you save."}</p>
        <div className="flex gap-2">
          <Button aria-pressed={!isDesk} className="aria-pressed:border-brand" onClick={() => setDesk(false)}>
            Phone
          </Button>
          <Button aria-pressed={isDesk} className="aria-pressed:border-brand" onClick={() => setDesk(true)}>
            Desk
          </Button>
        </div>
      </div>
      <div className="relative h-[44rem] max-w-[26rem] overflow-hidden rounded-panel border border-line bg-surface">
        {pages.map((page) => (
          // A frame keeps its place among its siblings, because a browser reloads a frame that moves in the document.
          <Frame key={page} action={action} draft={page} isDesk={isDesk} isShown={page === shown} onDrawn={() => setShown(page)} />
        ))}
      </div>
    </section>
  );
}

interface FrameProps {
  action: string;
  draft: string;
  isDesk: boolean;
  isShown: boolean;
  onDrawn: () => void;
}

/** A frame of its own for each draft: a second form in the same frame would add an entry to the browser's history. */
function Frame({ action, draft, isDesk, isShown, onDrawn }: FrameProps) {
  const name = useId();
  const form = useRef<HTMLFormElement>(null);
  const isSent = useRef(false);
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    form.current?.submit();
  }, []);
  return (
    <>
      <form ref={form} method="post" action={action} target={name} hidden>
        {Object.entries(JSON.parse(draft)).map(([field, value]) => (
          <input key={field} type="hidden" name={field} value={String(value)} />
        ))}
      </form>
      <iframe
        name={name}
        title="Preview of the payment page"
        sandbox=""
        tabIndex={-1}
        aria-hidden={!isShown}
        onLoad={() => isSent.current && onDrawn()}
        className={classes(
          "absolute top-0 left-0 origin-top-left border-0",
          isDesk ? "h-[300%] w-[300%] scale-[calc(1/3)]" : "size-full",
          !isShown && "opacity-0",
        )}
      />
    </>
  );
}
