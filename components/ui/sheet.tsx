"use client";

import { Overlay, type OverlayProps } from "./overlay.tsx";

/** A panel from the right, 480 px wide and the whole of a phone, for what is made and for money that moves. */
export function Sheet(props: OverlayProps) {
  return (
    <Overlay
      {...props}
      popupClass="inset-y-0 right-0 w-full pb-[env(safe-area-inset-bottom)] sm:w-[30rem] sm:max-w-full sm:border-l data-ending-style:translate-x-1 data-starting-style:translate-x-1"
    />
  );
}
