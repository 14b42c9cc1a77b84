"use client";

import { Check, Copy, Download } from "lucide-react";
import { type SubmitEvent, useEffect, useState } from "react";
import { StepLead } from "#components/security/step-lead.tsx";
import { takeFocus } from "#components/security/take-focus.ts";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { OverlayActions } from "#components/ui/overlay.tsx";

interface Secret {
  label: string;
  value: string;
}

interface ShownOnceProps {
  title: string;
  children: React.ReactNode;
  /** The last one is the secret; those before it are not. */
  secrets: readonly Secret[];
  fileName: string;
  onKept: () => void;
}

/** A secret that is shown once. It stays until the person says that it is saved. Before that, the browser asks before the page is left. */
export function ShownOnce({ title, children, secrets, fileName, onKept }: ShownOnceProps) {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, []);
  const keep = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onKept();
  };
  return (
    <form onSubmit={keep} className="flex grow flex-col gap-4">
      <StepLead title={title}>{children}</StepLead>
      {secrets.map((secret) => (
        <SecretText key={secret.label} {...secret} />
      ))}
      <div>
        <Button onClick={() => save(secrets, fileName)}>
          <Download aria-hidden="true" className="size-4" />
          Save as a file
        </Button>
      </div>
      <Checkbox name="kept" required label="I have kept it" />
      <OverlayActions>
        <Button type="submit" variant="primary">
          Done
        </Button>
      </OverlayActions>
    </form>
  );
}

function SecretText({ label, value }: Secret) {
  const [copying, setCopying] = useState<"" | "done" | "refused">("");
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setCopying("done"),
      // The browser refused, or has no clipboard at an address without https.
      () => setCopying("refused"),
    );
  return (
    <div>
      <p className="mb-1 font-medium">{label}</p>
      <p className="rounded-control border border-line bg-ground px-3 py-2 font-mono wrap-anywhere select-all">{value}</p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Button onClick={() => void copy()}>
          {copying === "done" ? <Check aria-hidden="true" className="size-4" /> : <Copy aria-hidden="true" className="size-4" />}
          Copy {label.toLowerCase()}
        </Button>
        <span role="status" className="text-fact text-muted">
          {copying === "done" && "Copied"}
          {copying === "refused" && "The browser does not allow copying here. Select it, or save the file."}
        </span>
      </div>
    </div>
  );
}

function save(secrets: readonly Secret[], fileName: string): void {
  const text = secrets.map(({ label, value }) => `${label}: ${value}\n`).join("");
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: fileName });
  link.click();
  URL.revokeObjectURL(address);
}

/** Replaces a secret whose answer was lost, because it cannot be shown again. */
export function LostSecret({ title, children, onClose }: { title: string; children: React.ReactNode; onClose: () => void }) {
  return (
    <>
      <Notice tone="warning" title={title} ref={takeFocus}>
        {children}
      </Notice>
      <OverlayActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </OverlayActions>
    </>
  );
}
