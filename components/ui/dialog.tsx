"use client";

import { Overlay, type OverlayProps } from "./overlay.tsx";

/** A question in the middle of the page, for dangerous or small actions. It names the record, and says which money returns. */
export function Dialog(props: OverlayProps) {
  return (
    <Overlay
      {...props}
      popupClass="top-1/2 left-1/2 max-h-[calc(100dvh-2rem)] w-[min(28rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 rounded-panel border data-ending-style:-translate-y-[calc(50%-4px)] data-starting-style:-translate-y-[calc(50%-4px)]"
    />
  );
}
