"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";

const SAYS_SO_FOR_MS = 2_000;

/** A button that copies a text, and says so. Without script it is not there. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAYS_SO_FOR_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      // The browser refused. The text can still be selected.
      () => setCopied(false),
    );
  const Icon = copied ? Check : Copy;
  return (
    <span className="needs-js relative z-1 inline-flex">
      <button
        type="button"
        onClick={copy}
        aria-label={label}
        title={label}
        className="inline-grid size-6 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink max-sm:-m-2.5 max-sm:size-11"
      >
        <Icon aria-hidden="true" className="size-3.5" />
      </button>
      <span role="status" className="sr-only">
        {copied && "Copied"}
      </span>
    </span>
  );
}
