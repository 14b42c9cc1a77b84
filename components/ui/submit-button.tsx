"use client";

import { type ComponentProps, useEffect, useRef, useState } from "react";
import { Button } from "./button.tsx";

/** The button that sends a plain form. It is pending from the form's submit until the next page is there, so that a second click sends nothing. */
export function SubmitButton(props: Omit<ComponentProps<typeof Button>, "type" | "pending" | "ref">) {
  const ref = useRef<HTMLButtonElement>(null);
  const [pending, setPending] = useState(false);
  useEffect(() => {
    const form = ref.current?.form;
    // After "Back", the browser may show the page as it was left, with a pending button.
    const settle = () => setPending(false);
    // Set after the submit event, because a pending button is not a submit button, and this button must send the form.
    const send = (event: SubmitEvent) => setTimeout(() => setPending(!event.defaultPrevented));
    form?.addEventListener("submit", send);
    window.addEventListener("pageshow", settle);
    return () => {
      form?.removeEventListener("submit", send);
      window.removeEventListener("pageshow", settle);
    };
  }, []);
  return <Button variant="primary" {...props} type="submit" pending={pending} ref={ref} />;
}
