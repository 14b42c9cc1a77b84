"use client";

import type { KeyboardEvent } from "react";
import type { MenuProps } from "./menu-popup.tsx";
import { useOnDemand } from "./use-on-demand.ts";

const loadPopup = async () => (await import("./menu-popup.tsx")).MenuPopup;

/** A button that opens a list of pages and actions. The arrow keys move in it, and letters find an item. The list is loaded when it is first needed. */
export function Menu(props: MenuProps) {
  const { part: Popup, prepare, want } = useOnDemand(loadPopup);
  if (Popup) return <Popup {...props} />;
  const { label, trigger, triggerClass } = props;
  const wantByKey = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    want();
  };
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      className={triggerClass}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={want}
      onKeyDown={wantByKey}
    >
      {trigger}
      {label && <span className="sr-only">{label}</span>}
    </button>
  );
}
