"use client";

import { createContext, type ReactNode, use, useLayoutEffect, useRef, useState } from "react";
import { buttonClasses } from "./button.tsx";
import type { OverlayContent } from "./overlay-popup.tsx";
import { useOnDemand } from "./use-on-demand.ts";

export interface OverlayProps extends OverlayContent {
  /** The label of the button that opens it. Without one, `open` and `onOpenChange` decide. */
  trigger?: ReactNode;
  triggerVariant?: "primary" | "quiet" | "danger" | undefined;
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
}

const Close = createContext<() => void>(() => undefined);

const loadPopup = async () => (await import("./overlay-popup.tsx")).OverlayPopup;

/** The button of a dialog or a sheet, and its content once it is opened. Their common code is loaded when one is first needed. */
export function Overlay({ trigger, triggerVariant, open, onOpenChange, ...rest }: OverlayProps & { popupClass: string }) {
  const [isOwnOpen, setOwnOpen] = useState(false);
  const { part: Popup, prepare, want } = useOnDemand(loadPopup);
  const isOpen = open ?? isOwnOpen;
  const change = (next: boolean) => {
    setOwnOpen(next);
    onOpenChange?.(next);
  };
  const opener = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (!isOpen) return;
    // Stored before the focus moves into the overlay, because the focus returns to this element on closing.
    opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    want();
  }, [isOpen, want]);
  return (
    <>
      {trigger && (
        <button
          type="button"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          className={buttonClasses({ variant: triggerVariant })}
          onPointerEnter={prepare}
          onFocus={prepare}
          onClick={() => change(true)}
        >
          {trigger}
        </button>
      )}
      {Popup && (
        <Close value={() => change(false)}>
          <Popup {...rest} open={isOpen} onOpenChange={change} opener={opener} />
        </Close>
      )}
    </>
  );
}

/** The buttons at the end of a dialog or a sheet: the one that acts stands last. */
export function OverlayActions({ children }: { children: ReactNode }) {
  return <div className="mt-auto flex flex-col gap-2 pt-2 sm:flex-row sm:justify-end">{children}</div>;
}

interface OverlayCloseProps {
  children: ReactNode;
  variant?: OverlayProps["triggerVariant"];
  onClick?: (() => void) | undefined;
}

/** A button that closes the dialog or sheet around it. */
export function OverlayClose({ children, variant, onClick }: OverlayCloseProps) {
  const close = use(Close);
  const closeAfterClick = () => {
    onClick?.();
    close();
  };
  return (
    <button type="button" className={buttonClasses({ variant })} onClick={closeAfterClick}>
      {children}
    </button>
  );
}
