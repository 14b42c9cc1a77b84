"use client";

import { AuthFrame } from "#components/ui/auth-frame.tsx";
import { Button } from "#components/ui/button.tsx";

/** Shown in place of a page that failed to render. Pages only read, so no money moves when one fails. */
export default function PageFailed({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <AuthFrame title="This page could not be shown" lead="The fault is ours. Opening a page moves no money.">
      <Button variant="primary" wide onClick={reset}>
        Try again
      </Button>
      {error.digest && <p className="font-mono text-fact text-muted">{error.digest}</p>}
    </AuthFrame>
  );
}
