"use client";

import { Button } from "#components/ui/button.tsx";

export const PrintButton = () => (
  <Button variant="primary" onClick={() => window.print()}>
    Print
  </Button>
);
