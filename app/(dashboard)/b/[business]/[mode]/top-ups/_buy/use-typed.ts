"use client";

import { useEffect, useRef, useState } from "react";

/**
 * The text of a field that the browser keeps, read at each change. What was typed before the script ran, and what the browser filled in after a
 * reload, counts too. `set` writes into the field.
 */
export function useTyped<Control extends HTMLInputElement | HTMLSelectElement = HTMLInputElement>(initial: string) {
  const ref = useRef<Control>(null);
  const [text, setText] = useState(initial);
  useEffect(() => {
    if (ref.current) setText(ref.current.value);
  }, []);
  const set = (next: string) => {
    setText(next);
    if (ref.current) ref.current.value = next;
  };
  return { text, set, wiring: { ref, defaultValue: initial, onChange: ({ target }: { target: Control }) => setText(target.value) } };
}
