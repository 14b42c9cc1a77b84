"use client";

import { Printer } from "lucide-react";
import { Button } from "#components/ui/button.tsx";

/** Opens the browser's print window. */
export const Print = () => (
  <Button onClick={() => window.print()}>
    <Printer aria-hidden="true" className="size-4" />
    Print
  </Button>
);
