"use client";

import { useEffect, useState } from "react";

/** The returned value follows the typed one when it has not changed for this long. */
const PAUSE_MS = 300;

/** Returns a value once it has not changed for a moment. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
