"use client";

import { Overlay, type OverlayProps } from "./overlay.tsx";

/** A panel from the right, for creating records and moving money: 480 px wide, and on a phone as large as the screen. */
export function Sheet(props: OverlayProps) {
  return (
    <Overlay
      {...props}
      popupClass="inset-y-0 right-0 w-full pb-[env(safe-area-inset-bottom)] sm:w-[30rem] sm:max-w-full sm:border-l data-ending-style:translate-x-1 data-starting-style:translate-x-1"
    />
  );
}
