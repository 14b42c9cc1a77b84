"use client";

import { useEffect, useRef } from "react";

/** Returns a ref for a heading that takes the focus when the value changes, because the button that had it is gone then. */
export function useFocusOnChange(value: unknown) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(value);
  useEffect(() => {
    if (shown.current === value) return;
    shown.current = value;
    heading.current?.focus();
  }, [value]);
  return heading;
}
