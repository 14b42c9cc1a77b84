"use client";

import type { ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { useToast } from "#components/ui/toast.tsx";

/** The button that copies a link for the customer. */
export function CopyLink({ url, children }: { url: string; children: ReactNode }) {
  const toast = useToast();
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => toast({ title: "Copied. Send it to your customer." }),
      () => toast({ title: "The browser did not copy it. Select this address and copy it by hand.", description: url }),
    );
  return (
    <Button variant="primary" onClick={() => void copy()}>
      {children}
    </Button>
  );
}
