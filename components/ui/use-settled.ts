"use client";

import { useEffect, useState } from "react";

/** Typing pauses for this long before what depends on it follows. */
const PAUSE_MS = 300;

/** Returns the value that has not changed for a moment. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
