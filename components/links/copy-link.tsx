"use client";

import { useToast } from "#components/ui/toast.tsx";

/** Returns a function that copies a link for the customer, and says so. */
export function useCopyLink(url: string): () => void {
  const toast = useToast();
  return () =>
    void navigator.clipboard.writeText(url).then(
      () => toast({ title: "Copied. Send it to your customer." }),
      () => toast({ title: "The browser did not copy the link. Copy this address by hand.", description: url }),
    );
}
