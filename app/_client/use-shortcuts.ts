import { useEffect, useRef } from "react";
import type { Place } from "./search-places.ts";

const SECOND_KEY_WITHIN_MS = 1_000;

/**
 * Listens to keys: ⌘K, Ctrl K, / and ? call `openSearch`, and the keys of a place open it. A key that is typed into a field, or while a dialog
 * is open, is no shortcut, except for ⌘K.
 */
export function useShortcuts(places: readonly Place[], openSearch: () => void): void {
  const latest = useRef({ places, openSearch });
  useEffect(() => {
    latest.current = { places, openSearch };
  });
  useEffect(() => {
    let before = { key: "", at: 0 };
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        latest.current.openSearch();
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const key = event.key.toLowerCase();
      if (key === "/" || key === "?") {
        event.preventDefault();
        latest.current.openSearch();
        return;
      }
      const isSecond = event.timeStamp - before.at < SECOND_KEY_WITHIN_MS;
      const place = latest.current.places.find(({ keys }) => keys === key || (isSecond && keys === `${before.key} ${key}`));
      before = { key, at: event.timeStamp };
      if (!place) return;
      event.preventDefault();
      location.assign(place.href);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

const isTyping = (target: EventTarget | null): boolean =>
  (target instanceof HTMLElement && (target.isContentEditable || target.closest("input, textarea, select, [role=menu]") !== null)) ||
  document.querySelector("[role=dialog], [role=alertdialog]") !== null;
