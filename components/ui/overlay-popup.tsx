"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { classes } from "./class-names.ts";

export interface OverlayContent {
  title: ReactNode;
  /** One sentence under the title. */
  description?: ReactNode;
  children?: ReactNode;
  /** Only a button inside closes it: for a secret that is shown once. */
  keepsOpen?: boolean | undefined;
  /** Takes the focus on opening, in place of the first control. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
}

interface OverlayPopupProps extends OverlayContent {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  popupClass: string;
  /** Takes the focus back on closing. */
  opener: RefObject<HTMLElement | null>;
}

/** The common behaviour of dialogs and sheets: the focus moves in, stays in and returns afterwards; Esc closes the topmost layer. */
export function OverlayPopup({
  title,
  description,
  children,
  open,
  onOpenChange,
  keepsOpen = false,
  initialFocus,
  popupClass,
  opener,
}: OverlayPopupProps) {
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={keepsOpen}
      onOpenChange={(next, details) => {
        if (!next && keepsOpen && details.reason === "escape-key") details.cancel();
        else onOpenChange(next);
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-30 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          {...(initialFocus && { initialFocus })}
          finalFocus={opener}
          className={classes(
            "fixed z-30 flex flex-col border-line bg-surface text-body text-ink shadow-float outline-none transition-[opacity,translate] duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0",
            popupClass,
          )}
        >
          <header className={classes("px-4 pt-4 wrap-anywhere sm:px-6 sm:pt-5", !keepsOpen && "pr-14 sm:pr-16")}>
            <Base.Title className="text-title leading-snug font-semibold">{title}</Base.Title>
            {description && <Base.Description className="mt-1 text-muted">{description}</Base.Description>}
          </header>
          <div className="flex min-h-0 grow flex-col gap-4 overflow-y-auto px-4 pt-3 pb-4 sm:px-6 sm:pb-5">{children}</div>
          {/* Last, so that the focus goes to the first control of the content. */}
          {!keepsOpen && (
            <Base.Close
              aria-label="Close"
              className="absolute top-2 right-2 grid size-11 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink sm:top-4 sm:right-4 sm:size-9"
            >
              <X aria-hidden="true" className="size-5" />
            </Base.Close>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
