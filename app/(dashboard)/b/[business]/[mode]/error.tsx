"use client";

import { Closed } from "#components/page/closed.tsx";
import { Button } from "#components/ui/button.tsx";

interface PageFailedProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** Shown in place of a dashboard page that failed to render. Pages only read, so no money moves when one fails. */
export default function PageFailed({ error, reset }: PageFailedProps) {
  return (
    <Closed
      isPage
      title="This page could not be shown"
      action={
        <Button variant="primary" onClick={reset}>
          Try again
        </Button>
      }
    >
      <p>The fault is ours. Opening a page moves no money: what you did before is as it was.</p>
      {error.digest && <p className="mt-1 font-mono text-fact">{error.digest}</p>}
    </Closed>
  );
}
